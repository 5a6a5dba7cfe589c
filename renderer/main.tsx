import './no-eval.ts'
import '@fontsource-variable/inter'
import '@fontsource-variable/jetbrains-mono'
import './ui/theme.css'
import './ui/base.css'
import {StrictMode} from 'react'
import {createRoot} from 'react-dom/client'
import {App} from './app.tsx'
import {startApp} from './start-app.ts'
import {AppContext} from './state/use-app.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

createRoot(root).render(
  <StrictMode>
    <AppContext value={startApp(window)}>
      <App />
    </AppContext>
  </StrictMode>,
)
