import {patternOfSecret} from './secret-forms.ts'

/** What takes the place of a secret. */
export const HIDDEN = '[secret]'

/**
 * Names that secrets usually go by, with what follows them in a header, an assignment or JSON. What stands before such a word is
 * not looked at: a name of any length would be tried again from each of its letters, and a long line of hyphens take seconds.
 */
const NAMED =
  /((?:api[_-]?key|token|secret|passw(?:or)?d)["']?[ \t]{0,8}[:=][ \t]{0,8}["']?|authorization["']?[ \t]{0,8}[:=][ \t]{0,8}["']?(?:(?:bearer|basic)[ \t]{1,8})?|\bbearer[ \t]{1,8})([^\s"',;]+)/gi

/**
 * Takes secrets out of text that is about to be kept: the known ones in every form in which a program would print them, and
 * what stands behind the usual names of others. It cannot know a secret that it was not told and that has no name.
 */
export function scrubSecrets(text: string, known: readonly string[]): string {
  // The longest first, so that none is left as the rest of a shorter one.
  const patterns = [...new Set(known)].sort((a, b) => b.length - a.length).flatMap((one) => patternOfSecret(one) ?? [])
  // In one go: the word that takes the place of a secret may hold another one.
  const scrubbed = patterns.length === 0 ? text : text.replaceAll(new RegExp(patterns.join('|'), 'g'), HIDDEN)
  return scrubbed.replaceAll(NAMED, (_all, name: string) => `${name}${HIDDEN}`)
}
