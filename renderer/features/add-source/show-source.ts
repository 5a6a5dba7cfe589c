import {useAppContext} from '../../state/use-app.ts'

/** Leaves the forms for a source that was added. */
export function useShowSource(): (source: string) => void {
  const {store} = useAppContext()
  return (source) => {
    const {setAddingSource, setScope, selectSource} = store.getState()
    setAddingSource(false)
    setScope(source)
    selectSource(source)
  }
}
