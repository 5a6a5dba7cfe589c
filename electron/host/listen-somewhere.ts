import type {Result} from '../../shared/base/result.ts'
import type {Host, HostError} from './host.ts'

const USUAL_PORT = 7777

/**
 * At the port the user asked for, or not at all. Where none was asked for, at the usual one, or at any free one where that
 * is not to be had.
 */
export async function listenSomewhere(
  asked: number | undefined,
  start: (port: number) => Promise<Result<Host, HostError>>,
): Promise<Result<Host, HostError>> {
  if (asked !== undefined) return start(asked)
  const usual = await start(USUAL_PORT)
  return usual.ok ? usual : start(0)
}
