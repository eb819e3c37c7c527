import type {ComponentChildren} from 'preact'

/** A column; the first one names the rows. */
export interface Column<R> {
  readonly name: string
  readonly cell: (row: R, at: number) => ComponentChildren
  /** The class of its cells. */
  readonly look?: string | ((row: R) => string | undefined) | undefined
  /** Figures stand at the right, under their name. */
  readonly isFigure?: boolean
  /** The name is for screen readers only. */
  readonly isUnseen?: boolean
  /** What the column means, in a tip. */
  readonly meaning?: string
  /** A name that sorts the rows; `is` where they are sorted by it. */
  readonly sort?: {readonly is: 'ascending' | 'descending' | undefined; readonly by: () => void} | undefined
}

interface TableProps<R> {
  readonly class?: string | undefined
  readonly id?: string | undefined
  /** The studio shows it to screen readers only. */
  readonly caption?: string
  readonly columns: readonly Column<R>[]
  readonly rows: readonly R[]
  readonly keyOf: (row: R, at: number) => string
  readonly rowLook?: (row: R, at: number) => string | undefined
  /** The names of the columns are for screen readers only. */
  readonly isBare?: boolean
}

/** A table with rows that their first cells name. Cells know the name of their column, for styles that put each on a line of its own. */
export function Table<R>({id, caption, columns, rows, keyOf, rowLook, isBare = false, ...rest}: TableProps<R>) {
  const [first, ...others] = columns
  return (
    <table id={id} class={rest.class}>
      {caption === undefined ? null : <caption>{caption}</caption>}
      <thead class={isBare ? 'unseen' : undefined}>
        <tr>
          {columns.map(column => (
            <Head key={column.name} {...column} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={keyOf(row, at)} class={rowLook?.(row, at)}>
            <th scope="row" class={lookOf(first, row)}>
              {first.cell(row, at)}
            </th>
            {others.map(column => (
              <td key={column.name} class={lookOf(column, row)} data-name={column.name}>
                {column.cell(row, at)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type HeadProps = Pick<Column<never>, 'name' | 'isFigure' | 'isUnseen' | 'meaning' | 'sort'>

function Head({name, isFigure, isUnseen, meaning, sort}: HeadProps) {
  return (
    <th scope="col" class={isFigure ? 'n' : undefined} title={meaning} aria-sort={sort?.is}>
      {sort ? (
        <button type="button" class="link" onClick={sort.by}>
          {name}
        </button>
      ) : (
        <span class={isUnseen ? 'unseen' : undefined}>{name}</span>
      )}
    </th>
  )
}

function lookOf<R>({isFigure, look}: Column<R>, row: R): string | undefined {
  return [isFigure && 'n', typeof look === 'function' ? look(row) : look].filter(Boolean).join(' ') || undefined
}
