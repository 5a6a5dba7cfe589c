import {lockProfile} from '../profile-lock.ts'

/* A process that owns a profile until it is killed. */

const [directory = ''] = process.argv.slice(2)
const lock = lockProfile(directory, {pid: process.pid, mode: 'host', since: 1})
if (lock.ok) lock.value.announce('http://127.0.0.1:7777/#secret')
process.stdout.write(lock.ok ? 'owned\n' : 'refused\n')
setInterval(() => lock.ok, 60_000)
