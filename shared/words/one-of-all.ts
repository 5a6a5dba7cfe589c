/**
 * What stands beside the name of the one source that is drawn, where the list covers all of them; undefined where there
 * is nothing to tell apart.
 *
 * @param chosen - by the user; else it is the first on the board
 */
export function oneOfAll(sources: number, chosen: boolean): string | undefined {
  if (sources < 2) return undefined
  return `${chosen ? '' : 'none chosen: the first on the board · '}the list shows all ${sources} sources`
}
