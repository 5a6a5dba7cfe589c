import type {NewSource} from '../../shared/contract/contract.ts'
import {isReadAlike, isSameDoor, isSameStream} from '../../shared/source/same-stream.ts'
import type {SourceRecord, SourceSettings} from '../../shared/source/source.ts'
import {watcherOf} from './prime/watched-session.ts'
import {RefusedRequest} from './serve.ts'
import type {SourceController} from './source-controller.ts'
import type {SourceRun} from './source-run.ts'
import type {TokenStore} from './tokens.ts'

export interface SettingsDeps {
  readonly sources: ReadonlyMap<string, SourceController>
  readonly tokens: TokenStore
}

/**
 * The same stream by other settings: its cursor and its history stay. Nothing of it runs while they change, so that no frame is
 * read by the ones and handled by the others. A held source waits for the user's word all the same, and goes on by the new ones.
 */
export async function changeSettings(
  controller: SourceController,
  {name, settings, token}: NewSource,
  {sources, tokens}: SettingsDeps,
): Promise<void> {
  const {run} = controller
  refuse(run, settings)
  const other = settings.kind === 'prime' ? watcherOf(sources.values(), settings) : undefined
  if (other !== undefined && other !== controller) throw new RefusedRequest('watchedAlready', other.run.record.name)
  if (!isSameDoor(run.record.settings, settings) && token === undefined)
    throw new RefusedRequest('tokenOfAnother', settings.kind === 'switch' ? settings.url : '')
  await controller.renew(async () => {
    refuse(run, settings) // what was read until it ended may wait
    const isOther = JSON.stringify(run.record.settings) !== JSON.stringify(settings)
    // Whatever ends this in the middle: no token is sent to where it was not given for.
    if (token !== undefined) await tokens.delete(run.record.id)
    await controller.change(({settings: before}) => ({name, settings: merged(before, settings)}))
    if (token !== undefined) await tokens.set(run.record.id, token)
    if (isOther) forgetServer(run)
  })
}

function refuse({record, counts, leftovers, backlog}: SourceRun, settings: SourceSettings): void {
  const {settings: before} = record
  const isKnown = before.kind === 'switch' || before.kind === 'prime' || before.kind === 'numbered'
  if (!isKnown || before.kind !== settings.kind) throw new RefusedRequest('otherStream', record.name)
  // Of a stream that never sent anything nothing is held.
  if (counts.frames > 0 && !isSameStream(before, settings)) throw new RefusedRequest('otherStream', record.name)
  const waits = leftovers.length > 0 || (backlog?.size() ?? 0) > 0
  if (waits && !isReadAlike(before, settings)) throw new RefusedRequest('framesWait', record.name)
}

/** A session's name is what was learnt of it, whatever a form knew. */
function merged(before: SourceSettings, after: SourceSettings): SourceRecord['settings'] {
  return before.kind === 'prime' && after.kind === 'prime' ? {...after, ...before, socket: after.socket} : after
}

/** What was known of the connection to the former server, and how its messages were read. */
function forgetServer(run: SourceRun): void {
  run.generation = undefined
  run.beganAt = undefined
  if ((run.backlog?.size() ?? 0) === 0) run.backlog = undefined
}
