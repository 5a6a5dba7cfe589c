import {join} from 'node:path'
import react from '@vitejs/plugin-react'
import {defineConfig} from 'vite'

export default defineConfig({
  root: join(import.meta.dirname, 'renderer'),
  // Relative, because the page is served from a host's root and from the desktop app's own scheme alike.
  base: './',
  plugins: [react()],
  build: {
    outDir: join(import.meta.dirname, 'dist', 'renderer'),
    emptyOutDir: true,
    // Both servers send a content security policy of 'self': nothing may be inlined as a data URL.
    assetsInlineLimit: 0,
    modulePreload: {polyfill: false},
    sourcemap: true,
    // It is loaded from this machine, and whole: pieces would only come one after another.
    chunkSizeWarningLimit: 1_000,
  },
})
