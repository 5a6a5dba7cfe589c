import {openDatabase} from '../../../store/database.ts'
import {loadProfile} from '../../../store/load.ts'
import {profileFiles} from '../../../store/profile.ts'
import type {Patient} from '../patient.ts'
import type {KilledServer} from '../servers/killed-server.ts'
import type {Ward} from '../ward.ts'

/** Nobody is there to be watched: what was journaled is handled all the same, and then nothing waits. */
export async function handleRest(ward: Ward, patient: Patient, server: KilledServer, name: string): Promise<void> {
  await server.leave()
  const when = (): boolean => unhandledIn(patient.profile) === 0
  ward.note(`${name}, nobody there: all that was journaled is handled`, await patient.live({when}, {waits: 'nowhere'}))
}

function unhandledIn(profile: string): number {
  const opened = openDatabase({path: profileFiles(profile).store, role: 'read'})
  if (!opened.ok) throw new Error(opened.error.detail)
  const waiting = loadProfile(opened.value).sources[0]?.unhandled.length ?? 0
  opened.value.close()
  return waiting
}
