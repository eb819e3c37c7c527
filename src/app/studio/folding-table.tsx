import type {ComponentChildren} from 'preact'
import type {Verdict} from '../../use/comparison/index.ts'

/** A part of an area with a title of its own, or what there is instead. */
export function Part(props: {title: string; none: string; isEmpty: boolean; children: ComponentChildren}) {
  return (
    <>
      <h3>{props.title}</h3>
      {props.isEmpty ? <p class="soft">{props.none}</p> : props.children}
    </>
  )
}

/** The first cell of a row names it; on narrow screens every cell has the name of its column before it. */
export function Table(props: {
  caption: string
  head: readonly string[]
  rows: readonly (readonly ComponentChildren[])[]
}) {
  const {caption, head, rows} = props
  return (
    <table class="folding">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {head.map(name => (
            <th scope="col" key={name}>
              {name || <span class="unseen">what</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          <tr key={row}>
            {cells.map((cell, at) =>
              at === 0 ? (
                <th scope="row">{cell}</th>
              ) : (
                <td data-name={head[at]} class={isQuiet(cell) ? 'soft' : undefined}>
                  {cell}
                </td>
              )
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const QUIET: readonly Verdict[] = ['no clear change', 'no interval', 'no certificate']

function isQuiet(cell: ComponentChildren): boolean {
  return (QUIET as readonly ComponentChildren[]).includes(cell)
}
