import type {ReactElement, ReactNode} from 'react'
import {assertNever} from '../shared/base/assert-never.ts'
import {explainRequestError} from '../shared/words/explain-failure.ts'
import {QUEUE} from '../shared/words/name-waiting.ts'
import type {Link} from './state/engine-slice.ts'
import {lagNow, queuedFrames, rateNow} from './state/selectors.ts'
import {useApp} from './state/use-app.ts'
import {byteSize, count, countdown, counted, duration} from './ui/format.ts'
import './status-bar.css'

export function StatusBar(): ReactElement {
  const link = useApp((state) => state.link)
  const problem = useApp((state) => state.problem)
  return (
    <footer className="status-bar">
      {link.kind === 'ready' ? <Figures /> : <LinkWords link={link} />}
      {problem !== undefined && link.kind === 'ready' ? (
        <span className="tone-rejected" role="status" title={explainRequestError(problem).whatToDo}>
          {explainRequestError(problem).title}
        </span>
      ) : null}
      <span className="status-bar-space" />
      <Place />
    </footer>
  )
}

function Figures(): ReactNode {
  const rate = useApp(rateNow)
  const lag = useApp(lagNow)
  const queued = useApp(queuedFrames)
  const known = useApp((state) => state.sourcesKnown)
  const info = useApp((state) => state.info)
  const unknown = 'unknown yet'
  return (
    <>
      <span title="Frames journaled a second">
        engine {rate === undefined ? 'rate unknown yet' : `${counted(Math.round(rate), 'frame')}/s`}
      </span>
      <span title={QUEUE.meaning}>
        {QUEUE.word} {known ? count(queued) : unknown}
      </span>
      <span title={lag === 'quiet' ? 'Nothing changes' : 'Age of the oldest change in the last batch'}>
        lag {lag === undefined ? unknown : lag === 'quiet' ? '–' : duration(lag)}
      </span>
      <span title="Size on disk and number of frames kept, asked for every 10 s">
        history {info === undefined ? unknown : `${byteSize(info.storeBytes)} · ${count(info.storedFrames)} frames`}
      </span>
    </>
  )
}

function LinkWords({link}: {readonly link: Link}): ReactElement {
  const localNow = useApp((state) => state.localNow)
  return (
    <span className="tone-rejected" role="status">
      {linkText(link, localNow)}
    </span>
  )
}

function linkText(link: Link, localNow: number): string {
  switch (link.kind) {
    case 'connecting':
      return 'connecting to the engine'
    case 'ready':
      return ''
    case 'lost':
      return `engine not reachable; trying again in ${countdown(link.retryAt - localNow)}. What is on screen is what was last known.`
    case 'refused':
      return 'the engine does not take this page’s token; open the address that Tidemark printed when it started'
    default:
      return assertNever(link)
  }
}

function Place(): ReactElement {
  const info = useApp((state) => state.info)
  const place = info === undefined ? '' : info.mode === 'host' ? `host mode ${window.location.host}` : 'desktop'
  return <span title={info === undefined ? undefined : `Profile: ${info.profile}`}>{place}</span>
}
