import {assertNever} from '../base/assert-never.ts'
import type {RequestError} from '../contract/contract.ts'
import {type Explanation, type Words, withSaid} from './explanation.ts'

/** A request of a screen or of the command line that was not served. */
export function explainRequestError(error: RequestError): Explanation {
  switch (error.kind) {
    case 'unknownChannel':
      return {
        title: `The engine does not know “${error.channel}”`,
        detail: 'Nothing was done.',
        whatToDo: 'This page and the engine are of different versions: load the page again.',
      }
    case 'badInput':
      return withSaid(
        {
          title: 'The engine could not read what was sent',
          detail: 'Nothing was done.',
          whatToDo: 'Check the fields; if they look right, this is a fault of Tidemark.',
        },
        `${error.channel}: ${error.problem}`,
      )
    case 'refused':
      return TELLING.has(error.code) ? withSaid(refusedWords(error.code), error.detail) : refusedWords(error.code)
    case 'failed':
      return withSaid(
        {
          title: 'The engine failed while doing this',
          detail: 'Whether any of it was done is not known.',
          whatToDo: 'Look at the state on screen, and report it with the words below.',
        },
        error.detail,
      )
    case 'unreachable':
      return withSaid(
        {
          title: 'The engine is not reachable',
          detail: 'Whether it got the request is not known.',
          whatToDo: 'See that Tidemark still runs; the status bar says whether this page tries again.',
        },
        error.detail,
      )
    default:
      return assertNever(error)
  }
}

type RefusedCode = Extract<RequestError, {kind: 'refused'}>['code']

/** Those whose detail says more. That of the others names what was asked about, for programs. */
const TELLING: ReadonlySet<RefusedCode> = new Set([
  'readOnly',
  'storeFailed',
  'storeDamaged',
  'noDemo',
  'demoFailed',
  'noSecret',
  'noSuchHandler',
  'cannotTry',
  'cannotWatch',
  'watchedAlready',
])

function refusedWords(code: RefusedCode): Words {
  switch (code) {
    case 'noSuchSource':
    case 'noSuchFrame':
    case 'noSuchGap':
      return missingWords(code)
    case 'notHeld':
      return {
        title: 'The source is not held',
        detail: 'Nothing was retried or skipped.',
        whatToDo: 'Look at its state: it may have gone on already.',
      }
    case 'paused':
    case 'otherFrameHeld':
    case 'numberingAnew':
    case 'noNewNumbering':
      return heldWords(code)
    case 'readOnly':
    case 'storeFailed':
    case 'storeDamaged':
      return profileWords(code)
    case 'noDemo':
    case 'demoFailed':
      return demoWords(code)
    case 'noSecret':
    case 'noSuchHandler':
    case 'cannotTry':
    case 'cannotWatch':
    case 'notNumbered':
      return askedWords(code)
    case 'otherStream':
    case 'framesWait':
    case 'watchedAlready':
    case 'tokenOfAnother':
      return changeWords(code)
    default:
      return assertNever(code)
  }
}

/** What was named is not there. */
function missingWords(code: 'noSuchSource' | 'noSuchFrame' | 'noSuchGap'): Words {
  switch (code) {
    case 'noSuchSource':
      return {
        title: 'There is no such source',
        detail: 'Nothing was done.',
        whatToDo: 'It may have been removed: look at the list of sources.',
      }
    case 'noSuchFrame':
      return {
        title: 'There is no such frame',
        detail: 'Nothing was done.',
        whatToDo: 'It may have left the history by retention.',
      }
    case 'noSuchGap':
      return {
        title: 'There is no such gap',
        detail: 'Nothing was noted.',
        whatToDo: 'Choose a gap of this source in the ledger.',
      }
    default:
      return assertNever(code)
  }
}

/** What was decided about is not what holds the source, or nothing may be decided now. */
function heldWords(code: 'paused' | 'otherFrameHeld' | 'numberingAnew' | 'noNewNumbering'): Words {
  switch (code) {
    case 'paused':
      return {
        title: 'The source is paused',
        detail: 'Nothing was decided: whatever is decided lets it go on.',
        whatToDo: 'Resume it, and then decide: it stays held until you do.',
      }
    case 'otherFrameHeld':
      return {
        title: 'The source is held at another frame',
        detail: 'Nothing was decided.',
        whatToDo: 'Look at the frame it is held at now, and decide about that one.',
      }
    case 'numberingAnew':
      return {
        title: 'A new numbering cannot be skipped',
        detail: 'Nothing was skipped: the server would begin with it again, and the source be held at once.',
        whatToDo: 'Take the new numbering, or keep the old one and ask the server again.',
      }
    case 'noNewNumbering':
      return {
        title: 'The source is not held for a new numbering',
        detail: 'Nothing was taken or kept.',
        whatToDo: 'Look at why it is held: retry that frame, or skip it with a reason.',
      }
    default:
      return assertNever(code)
  }
}

/** The profile takes no change, or cannot be read. */
function profileWords(code: 'readOnly' | 'storeFailed' | 'storeDamaged'): Words {
  switch (code) {
    case 'readOnly':
      return {
        title: 'This profile is open for reading only',
        detail: 'Nothing was changed.',
        whatToDo: 'Another Tidemark owns the profile: close that one, or work there.',
      }
    case 'storeFailed':
      return {
        title: 'The disk refused the change',
        detail: 'Nothing was changed.',
        whatToDo: 'Free some space, or make the profile’s folder writable, and try again.',
      }
    case 'storeDamaged':
      return {
        title: 'The history on disk is damaged',
        detail: 'This could not be read, or was not written. What lies elsewhere in the file still can be looked at.',
        whatToDo: 'Close Tidemark and run `tidemark rescue`: it saves what can be read into a new file.',
      }
    default:
      return assertNever(code)
  }
}

function demoWords(code: 'noDemo' | 'demoFailed'): Words {
  if (code === 'noDemo')
    return {title: 'This installation has no demo', detail: 'Nothing was started.', whatToDo: 'Add a source instead.'}
  return {
    title: 'The demo server did not start',
    detail: 'No source was added.',
    whatToDo: 'Try again; if it fails again, report it with the words below.',
  }
}

/** What was asked of a handler, of a stream's past, or to be watched. */
function askedWords(code: 'noSecret' | 'noSuchHandler' | 'cannotTry' | 'cannotWatch' | 'notNumbered'): Words {
  switch (code) {
    case 'notNumbered':
      return {
        title: 'This source has no history to ask for',
        detail: 'Nothing was asked.',
        whatToDo: 'Only a server of numbered cursors sends what comes after a cursor of your own.',
      }
    case 'noSecret':
      return {
        title: 'A webhook has no key to sign with',
        detail: 'Nothing was changed.',
        whatToDo: 'Give it a key, the same that its receiver checks the signature with.',
      }
    case 'noSuchHandler':
      return {
        title: 'A secret is for no handler of the list',
        detail: 'Nothing was changed.',
        whatToDo: 'Name a handler of the list by its id.',
      }
    case 'cannotTry':
      return {
        title: 'The handler cannot be tried on this frame',
        detail: 'Nothing was run.',
        whatToDo: 'Choose another frame of this source.',
      }
    case 'cannotWatch':
      return {
        title: 'There is nothing to watch there',
        detail: 'No source was added.',
        whatToDo: 'Add a server, a session of a daemon or a stream; a recording is replayed by `tidemark replay`.',
      }
    default:
      return assertNever(code)
  }
}

/** Why settings stay as they are. */
function changeWords(code: 'otherStream' | 'framesWait' | 'watchedAlready' | 'tokenOfAnother'): Words {
  const detail = 'Nothing was changed.'
  switch (code) {
    case 'otherStream':
      return {
        title: 'These settings are of another stream',
        detail: `${detail} A cursor belongs to the stream that it was read from.`,
        whatToDo: 'Add the other stream as a source of its own.',
      }
    case 'framesWait':
      return {
        title: 'Frames of this source are still to be handled',
        detail: `${detail} What waits was read by the settings as they are, and is read again by them.`,
        whatToDo: 'Try again once nothing of it waits; where it is held, decide about that frame first.',
      }
    case 'watchedAlready':
      return {
        title: 'Another source watches this session there',
        detail: `${detail} Two sources of one session would have two cursors for the same numbers.`,
        whatToDo: 'Go on with the other source, or remove it first.',
      }
    case 'tokenOfAnother':
      return {
        title: 'The token was given for another server',
        detail: `${detail} A token is sent nowhere else than to where it was given for.`,
        whatToDo: 'Enter the token for this URL.',
      }
    default:
      return assertNever(code)
  }
}
