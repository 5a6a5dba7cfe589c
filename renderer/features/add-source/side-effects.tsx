import type {ReactElement} from 'react'
import {WATCHING_EFFECTS, WATCHING_LEAVES} from '../../../shared/words/name-daemon.ts'

/*
 * Everything that holding a stream open does on the bridge, for the agent whose token is used. From the Switch note,
 * section 2; each of its rows has one here.
 */
const OF_THE_AGENT: ReadonlyArray<readonly [what: string, effect: string]> = [
  [
    'Presence',
    'The bridge takes the agent for connected. An agent that is always on shows as live, and its “offline” answer is not sent. One that starts sessions shows as dormant, and when somebody addresses it, the bridge writes into the room that a session is starting, although none will. The agent’s page lists one session more.',
  ],
  [
    'Rooms covered by a session',
    'Tidemark claims no room and gives way to every session. The price: while a session holds a room, nothing of that room reaches Tidemark, and it is not sent later either. Such rooms look quiet here; Tidemark cannot tell.',
  ],
  ['Unclaimed rooms', 'For each room that no session holds, the bridge names this connection as the holder.'],
  [
    'Role leases',
    'Any open connection keeps the agent’s leases fresh. An exclusive role that a dead session left behind is not freed while you watch.',
  ],
  [
    'Connections',
    'This is one of at most 32 connections of the agent. After a crash it counts until its time runs out, some seconds later. Tidemark keeps one id and reuses it, and never takes over another’s.',
  ],
  [
    'Heartbeats',
    'Tidemark beats every 2 s, or the bridge would end the stream. Each beat reports a position, and never one beyond what was handled: a higher one would make the bridge pass over events.',
  ],
  ['Counts', 'Newer bridges record the start of one session each time the stream is opened.'],
  [
    'Stored positions',
    'Reading trims nothing on older bridges. Newest ones may keep positions on their side; what that does is not known.',
  ],
]

const NOT_DONE =
  'Tidemark declares no client version and no protocol, so it does not overwrite what the agent’s own client told the bridge, and is not handed approvals or commands that are meant for it.'

export function AgentTokenEffects(): ReactElement {
  return (
    <div className="effects">
      <p>
        <b>With the watched agent’s token the bridge cannot tell Tidemark from the agent.</b> The token can act, not
        only read. While the stream is open:
      </p>
      <EffectList effects={OF_THE_AGENT} />
      <p>{NOT_DONE}</p>
    </div>
  )
}

export function OwnIdentityEffects(): ReactElement {
  return (
    <div className="effects">
      <p>
        Register an agent for Tidemark alone, invite it to the rooms you want to watch, and use its token. Presence,
        leases and connection slots are counted per agent, so nothing touches the agents you watch. Tidemark’s agent is
        listed as a participant of those rooms, and sees their traffic as itself: what is addressed to it, its own
        tasks, not those of the others.
      </p>
    </div>
  )
}

/** Of attaching to a session of Prime Agent's daemon, which only reads. */
export function WatchingEffects(): ReactElement {
  return (
    <div className="effects">
      <p>
        <b>Watching attaches to the session as one more client.</b> While it is attached:
      </p>
      <EffectList effects={WATCHING_EFFECTS} />
      <p>{WATCHING_LEAVES}</p>
    </div>
  )
}

/** The same before a single click. */
export function WatchingInShort(): ReactElement {
  return (
    <p className="muted">
      Watching attaches as one more client: the session shows one attached client more, and is not put away for being
      idle as long as Tidemark is attached. After 15 idle minutes Tidemark leaves. It only reads. A session that takes
      its place becomes a source too.
    </p>
  )
}

function EffectList({effects}: {readonly effects: typeof OF_THE_AGENT}): ReactElement {
  return (
    <dl>
      {effects.map(([what, effect]) => (
        <div key={what}>
          <dt>{what}</dt>
          <dd>{effect}</dd>
        </div>
      ))}
    </dl>
  )
}
