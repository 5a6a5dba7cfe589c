import {assertNever} from '../base/assert-never.ts'
import type {StateWords} from './name-state.ts'

/** How far the screen goes along with what arrives. */
export type Following = 'all' | 'notTheList' | 'nothing' | 'cutOff'

export function nameFollowing(following: Following): StateWords & {readonly sign: string} {
  switch (following) {
    case 'all':
      return {sign: '●', word: 'Live', meaning: 'Timeline and list go along with what arrives. Press to stop both.'}
    case 'notTheList':
      return {
        sign: '◐',
        word: 'List stands still',
        meaning:
          'The timeline goes along with what arrives; the list keeps its reader’s place. Press to follow with both.',
      }
    case 'nothing':
      return {
        sign: '❚❚',
        word: 'Paused',
        meaning: 'The screen stands still, and the engine goes on. Press to follow again.',
      }
    case 'cutOff':
      return {sign: '○', word: 'Cut off', meaning: 'The engine is not reached: nothing arrives here.'}
    default:
      return assertNever(following)
  }
}
