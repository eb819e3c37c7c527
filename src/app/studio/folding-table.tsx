import type {CellView, TableView} from '../desk/index.ts'
import {GoLink} from './go-link.tsx'
import type {Studio} from './store.ts'

/** A table with its title; on narrow screens a row becomes lines, each with the name of its column. */
export function FoldingTable({studio, table}: {studio: Studio; table: TableView}) {
  const {title, none, head, rows} = table
  return (
    <>
      <h3>{title}</h3>
      {rows.length === 0 ? (
        <p class="soft">{none}</p>
      ) : (
        <table class="folding">
          <caption class="unseen">{title}</caption>
          <thead>
            <tr>
              {head.map(name => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, ...cells]) => (
              <tr key={JSON.stringify([name, cells])}>
                <th scope="row">
                  <Cell studio={studio} cell={name} />
                </th>
                {cells.map((cell, at) => (
                  <td key={head[at + 1]} data-name={head[at + 1]} class={isQuiet(cell) ? 'soft' : undefined}>
                    {cell === '' ? null : <Cell studio={studio} cell={cell} />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

/** What no interval or certificate lets us say. */
function isQuiet(cell: CellView): boolean {
  return typeof cell === 'string' && cell.startsWith('no ')
}

function Cell({studio, cell}: {studio: Studio; cell: CellView}) {
  if (typeof cell === 'string') return <>{cell}</>
  const {words, label, query} = cell
  return (
    <GoLink studio={studio} to={{page: 'documents', concept: query.concept, query, document: undefined}} label={label}>
      {words}
    </GoLink>
  )
}
