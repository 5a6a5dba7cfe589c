import {assertNever} from '../base/assert-never.ts'
import {type Explanation, withSaid} from './explanation.ts'

/** Why host mode does not serve. The host's own errors of the same kinds are assignable. */
export type ServingProblem =
  | {readonly kind: 'portTaken'; readonly port: number}
  | {readonly kind: 'cannotListen'; readonly port: number; readonly detail: string}
  /** The page is not built: `folder` is where it would be. */
  | {readonly kind: 'noPage'; readonly folder: string}

export function explainServingProblem(problem: ServingProblem): Explanation {
  switch (problem.kind) {
    case 'portTaken':
      return {
        title: `Port ${problem.port} is taken on this machine`,
        detail: 'Nothing is served and nothing is watched.',
        whatToDo: 'Choose another with --port, or leave it out.',
      }
    case 'cannotListen':
      return withSaid(
        {
          title: problem.port === 0 ? 'No port can be listened on' : `Port ${problem.port} cannot be listened on`,
          detail: 'Nothing is served and nothing is watched.',
          whatToDo:
            problem.port === 0
              ? 'See what the system says; host mode needs the address 127.0.0.1.'
              : 'Choose another with --port (those below 1024 often need a privilege), or leave it out.',
        },
        problem.detail,
      )
    case 'noPage':
      return {
        title: `The page is not built: there is no ${problem.folder}/index.html`,
        detail: 'Nothing is served and nothing is watched.',
        whatToDo: 'Run `npm start`, which builds it first, or `npm run build` and then this command again.',
      }
    default:
      return assertNever(problem)
  }
}
