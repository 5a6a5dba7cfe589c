import type {Page} from '@playwright/test'

export interface Troubles {
  /** What the page complained of since it was opened and the test did not expect. */
  readonly unexpected: () => readonly string[]
  readonly expect: (pattern: RegExp) => void
}

/** Errors and warnings of the console, exceptions nobody caught, and violations of the content security policy. */
export async function watchTroubles(page: Page): Promise<Troubles> {
  const seen: string[] = []
  const expected: RegExp[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') seen.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => seen.push(`exception: ${error.message}`))
  await page.exposeFunction('tidemarkViolated', (what: string) => seen.push(`policy: ${what}`))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({violatedDirective, blockedURI}) => {
      // Put there by the line above, which TypeScript cannot see.
      const {tidemarkViolated} = window as unknown as {tidemarkViolated: (what: string) => void}
      tidemarkViolated(`${violatedDirective} ${blockedURI}`)
    })
  })
  return {
    unexpected: () => seen.filter((trouble) => !expected.some((pattern) => pattern.test(trouble))),
    expect: (pattern) => expected.push(pattern),
  }
}
