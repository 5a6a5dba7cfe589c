import type {Tone} from './mark.ts'

/** Colours as CSS values, read once a theme. */
export interface Palette {
  readonly tones: Readonly<Record<Tone, string>>
  readonly background: string
  readonly hairline: string
  readonly grid: string
  readonly font: string
  readonly labelFont: string
}

/** The custom property each tone is read from: the theme's, not the timeline's. */
const PROPERTIES: Readonly<Record<Tone, string>> = {
  line: '--tide',
  handled: '--handled',
  rejected: '--rejected',
  malformed: '--malformed',
  gap: '--gap',
  pending: '--pending',
  discarded: '--discarded',
  fresh: '--tide',
  waiting: '--pending',
  text: '--ink',
  muted: '--ink-muted',
}

/** @param read - the value of a custom property where the timeline stands; empty where the theme has none */
export function readPalette(read: (property: string) => string): Palette {
  const value = (property: string) => read(property).trim() || 'currentColor'
  const tones = Object.fromEntries(Object.entries(PROPERTIES).map(([tone, property]) => [tone, value(property)]))
  const mono = read('--mono').trim() || 'monospace'
  return {
    // Made from the entries of a record over the same keys.
    tones: tones as Record<Tone, string>,
    background: value('--ground'),
    hairline: value('--line'),
    grid: value('--line'),
    font: `12px ${mono}`,
    labelFont: `600 12px ${mono}`,
  }
}
