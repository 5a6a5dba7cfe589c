import {expect, type Locator, type Page} from '@playwright/test'

/** The screens of Tidemark, by what they are called. */
export interface Tidemark {
  readonly page: Page
  readonly board: Locator
  readonly inspector: Locator
  /** The source that is being shown, on the board. */
  readonly source: (name: string | RegExp) => Locator
  /** Rows of the event list that contain all these texts, newest first. */
  readonly events: (...texts: readonly string[]) => Locator
  /** Chooses a row. By key: where rows come in, one may be elsewhere by the time a pointer arrives. */
  readonly choose: (row: Locator) => Promise<void>
  readonly open: (url: string) => Promise<void>
  readonly startDemo: () => Promise<void>
  /** Everything the page asked for was answered, and it has painted what came. */
  readonly waitForIdle: () => Promise<void>
  /** The acknowledged position of the chosen source, while no event is chosen. */
  readonly position: () => Promise<Readonly<Record<string, number>>>
  /** A table as its text, row by row. */
  readonly cells: (table: Locator) => Promise<readonly (readonly string[])[]>
}

export function createTidemark(page: Page): Tidemark {
  const list = page.getByRole('region', {name: 'List of events'})
  const board = page.getByRole('navigation', {name: 'Sources'})
  const inspector = page.getByRole('complementary', {name: 'Inspector'})
  const waitForIdle = (): Promise<void> => page.locator('html[data-idle="true"]').waitFor()
  return {
    page,
    board,
    inspector,
    source: (name) => board.getByRole('button', {name}),
    events: (...texts) => texts.reduce((rows, hasText) => rows.filter({hasText}), list.getByRole('row')),
    choose: async (row) => {
      const button = row.getByRole('button')
      await button.focus() // from here on the list stands still: rows are drawn in place, and this may be another by now
      await button.press('Enter')
    },
    open: async (url) => {
      await page.goto(url)
      await waitForIdle()
    },
    startDemo: async () => {
      await page.getByRole('button', {name: 'Start the demo'}).click()
      await expect(board.getByRole('button', {name: 'Demo: release-bot'})).toBeVisible()
    },
    waitForIdle,
    position: async () => {
      const rows = await cellsOf(inspector.getByRole('table', {name: 'Acknowledged position'}))
      return Object.fromEntries(rows.slice(1).map(([key, value]) => [key ?? '', Number(value)]))
    },
    cells: cellsOf,
  }
}

function cellsOf(table: Locator): Promise<readonly (readonly string[])[]> {
  return table
    .getByRole('row')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent?.trim() ?? '')),
    )
}
