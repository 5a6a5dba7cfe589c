import {wellFormed} from '../base/well-formed.ts'

const HIDDEN = '[secret]'

/** Names that secrets usually go by, with what follows them in a header, an assignment or JSON. */
const NAMED =
  /\b((?:[a-z0-9_-]*(?:api[_-]?key|token|secret|passw(?:or)?d))["']?\s*[:=]\s*["']?|authorization["']?\s*[:=]\s*["']?(?:(?:bearer|basic)\s+)?|bearer\s+)([^\s"',;]+)/gi

/** Shorter ones would be found everywhere. */
const SHORTEST = 4

/**
 * Takes secrets out of text that is about to be kept: the known ones in every form in which a program would print them, and
 * what stands behind the usual names of others. It cannot know a secret that it was not told and that has no name.
 */
export function scrubSecrets(text: string, known: readonly string[]): string {
  const forms = formsOf(known).map(escaped)
  // In one go: the word that takes the place of a secret may hold another one.
  const scrubbed = forms.length === 0 ? text : text.replaceAll(new RegExp(forms.join('|'), 'g'), HIDDEN)
  return scrubbed.replaceAll(NAMED, (_all, name: string) => `${name}${HIDDEN}`)
}

/** The longest first, so that none is left as the rest of a shorter one. */
function formsOf(known: readonly string[]): readonly string[] {
  const forms = known
    .filter((secret) => secret.length >= SHORTEST)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(wellFormed(secret))])
  return [...new Set(forms)].sort((a, b) => b.length - a.length)
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/** In UTF-16 code units: so much must be looked at together, or a secret could be cut in two where the text is. */
export function longestForm(known: readonly string[]): number {
  return formsOf(known)[0]?.length ?? 0
}
