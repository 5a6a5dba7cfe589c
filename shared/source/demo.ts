import {DAEMON_SCENARIO, NUMBERED_SCENARIO} from './source.ts'

/** The demo's three servers, by the wire they speak. */
export const DEMO_NAMES = ['switch', 'prime', 'numbered'] as const
export type DemoName = (typeof DEMO_NAMES)[number]

/** What a newcomer is shown of each: one scenario, under a name for the board. */
export const DEMOS: {readonly [D in DemoName]: {readonly name: string; readonly scenario: string}} = {
  switch: {name: 'Demo: release-bot', scenario: 'tour'},
  prime: {name: 'Demo: tide tables', scenario: `${DAEMON_SCENARIO}tour`},
  numbered: {name: 'Demo: tide gauge', scenario: `${NUMBERED_SCENARIO}gauge`},
}

/** How the demo's numbered server comes back: with the store that its numbers are in, or without. */
export type StoreFate = 'kept' | 'lost'
