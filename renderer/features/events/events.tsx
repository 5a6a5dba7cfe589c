import type {ReactElement} from 'react'
import {EventTable} from './event-table.tsx'
import './events.css'
import {EventsBar} from './events-bar.tsx'

/** The list of frames, newest first. It never loses the reader's place. */
export function Events(): ReactElement {
  return (
    <section className="events" aria-label="Events">
      <EventsBar />
      <EventTable />
    </section>
  )
}
