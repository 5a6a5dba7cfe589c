import type {ReactElement, ReactNode} from 'react'
import './table.css'

export interface Column<Row> {
  readonly title: string
  /** Numbers stand at the right, so that digits line up. */
  readonly right?: boolean
  readonly cell: (row: Row) => ReactNode
}

export interface TableProps<Row> {
  /** Read out by screen readers. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string | number
  readonly isCurrent?: (row: Row) => boolean
  readonly onSelect?: (row: Row) => void
}

/** A small, real table with hairlines. The first cell names its row. */
export function Table<Row>(props: TableProps<Row>): ReactElement {
  const {caption, columns, rows, rowKey} = props
  return (
    <table className="table">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({title, right}) => (
            <th key={title} scope="col" className={right === true ? 'right' : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <TableRow key={rowKey(row)} row={row} {...props} />
        ))}
      </tbody>
    </table>
  )
}

function TableRow<Row>({row, columns, isCurrent, onSelect}: TableProps<Row> & {readonly row: Row}): ReactElement {
  const current = isCurrent?.(row) === true
  const select = onSelect === undefined ? undefined : () => onSelect(row)
  return (
    // The button in the first cell is the keyboard's way; a click anywhere in the row is a convenience of the pointer.
    <tr aria-current={current ? 'true' : undefined} className={select && 'selectable'} onClick={select}>
      {columns.map(({title, right, cell}, index) =>
        index === 0 ? (
          <th key={title} scope="row" className={right === true ? 'right' : undefined}>
            {select === undefined ? (
              cell(row)
            ) : (
              <button type="button" className="row-button" onClick={select}>
                {cell(row)}
              </button>
            )}
          </th>
        ) : (
          <td key={title} className={right === true ? 'right' : undefined}>
            {cell(row)}
          </td>
        ),
      )}
    </tr>
  )
}
