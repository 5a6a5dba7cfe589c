/** What a key asks of the timeline. */
export type TimelineKey =
  | {readonly kind: 'zoom'; readonly factor: number}
  /** A share of the window; positive goes to later time. */
  | {readonly kind: 'pan'; readonly share: number}
  | {readonly kind: 'frame'; readonly direction: 1 | -1}
  | {readonly kind: 'moment'}
  | {readonly kind: 'live'}

/** Nothing else in the window has a use for these. */
const KEYS: ReadonlyMap<string, TimelineKey> = new Map([
  ['+', {kind: 'zoom', factor: 1.5}],
  ['=', {kind: 'zoom', factor: 1.5}],
  ['-', {kind: 'zoom', factor: 1 / 1.5}],
])

/** The window, its lists and tabs use some of these too: the timeline takes them only where it has the focus. */
const FOCUSED_KEYS: ReadonlyMap<string, TimelineKey> = new Map<string, TimelineKey>([
  ['w', {kind: 'zoom', factor: 1.5}],
  ['s', {kind: 'zoom', factor: 1 / 1.5}],
  ['a', {kind: 'pan', share: -0.2}],
  ['d', {kind: 'pan', share: 0.2}],
  ['.', {kind: 'moment'}],
  ['ArrowLeft', {kind: 'frame', direction: -1}],
  ['ArrowRight', {kind: 'frame', direction: 1}],
  ['End', {kind: 'live'}],
])

export interface Pressed {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

export function readKey({key, ctrlKey, metaKey, altKey}: Pressed, focused: boolean): TimelineKey | undefined {
  if (ctrlKey || metaKey || altKey) return undefined
  return KEYS.get(key) ?? (focused ? FOCUSED_KEYS.get(key) : undefined)
}
