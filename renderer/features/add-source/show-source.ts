import {useAppContext} from '../../state/use-app.ts'

/** Leaves the forms for a source that was added, and goes along with what it brings. */
export function useShowSource(): (source: string) => void {
  const {store, actions} = useAppContext()
  return (source) => {
    const {setAddingSource, selectSource} = store.getState()
    setAddingSource(false)
    selectSource(source)
    actions.setLive(true)
  }
}
