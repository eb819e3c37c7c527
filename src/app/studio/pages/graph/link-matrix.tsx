import {useMemo, useState} from 'preact/hooks'
import {type Link, strengthDegree} from '../../../../use/facts/index.ts'
import {linkText} from '../../../present/index.ts'
import type {GraphView} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {Choices} from '../../ui/controls.tsx'
import {stepInList} from '../../ui/keys.ts'
import {type ConceptOrder, sortedConcepts} from './graph-order.ts'
import type {LinksProps} from './link-table.tsx'

const ORDERS = [
  ['cluster', 'By cluster'],
  ['name', 'By name'],
  ['prevalence', 'By prevalence']
] as const

/** Keys that walk from link to link in a row, and in a column, as the keys of a list. */
const IN_ROW: Readonly<Record<string, string>> = {
  ArrowRight: 'ArrowDown',
  ArrowLeft: 'ArrowUp',
  Home: 'Home',
  End: 'End'
}
const IN_COLUMN: Readonly<Record<string, string>> = {
  ArrowDown: 'ArrowDown',
  ArrowUp: 'ArrowUp',
  PageDown: 'PageDown',
  PageUp: 'PageUp'
}

function walk(event: KeyboardEvent): void {
  const {key, ctrlKey, altKey, metaKey, currentTarget, target} = event
  const inList = IN_ROW[key] ?? IN_COLUMN[key]
  if (ctrlKey || altKey || metaKey || inList === undefined) return
  event.preventDefault()
  const cell = (target as Element).closest('td')
  const line = [...(currentTarget as Element).querySelectorAll<HTMLButtonElement>('button')].filter(
    ({parentElement: other}) =>
      IN_ROW[key] === undefined
        ? other?.dataset.column === cell?.dataset.column
        : other?.parentElement === cell?.parentElement
  )
  const to = stepInList(inList, line.indexOf(target as HTMLButtonElement), line.length)
  if (to !== undefined) line[to].focus()
}

/** Who has to do with whom at one look: rows are the concepts found, and only cells with a link hold something. One tab stop, with arrows inside. */
export function LinkMatrix({graph, found, near}: LinksProps) {
  const studio = useStudio()
  const [order, setOrder] = useState<ConceptOrder>('cluster')
  const [stop, setStop] = useState<readonly [row: number, column: number]>()
  const {concepts} = graph
  const columns = useMemo(() => sortedConcepts(graph, order).filter(i => near?.has(i) ?? true), [graph, order, near])
  const linksOf = useMemo(() => linksByConcept(graph), [graph])
  const rows = columns.filter(i => found.has(i))
  const cells = rows.map(i => columns.flatMap((k, at) => (linksOf[i].has(k) ? [{i, k, at}] : [])))
  const isStop = ({i, k}: {i: number; k: number}) => i === stop?.[0] && k === stop[1]
  const current = cells.flat().find(isStop) ?? cells.flat()[0]
  const wordsOf = (i: number, k: number) =>
    `${concepts[i].name} and ${concepts[k].name} occur together ${linkText(linksOf[i].get(k)?.strength ?? 0)}`
  const isFirst = (list: readonly number[], at: number) =>
    order === 'cluster' && at > 0 && concepts[list[at]].cluster !== concepts[list[at - 1]].cluster
  if (rows.length === 0) return <p class="soft">No concept matches.</p>
  return (
    <>
      <div class="rowed">
        <Choices legend="Order of the concepts" value={order} options={ORDERS} onPick={setOrder} />
      </div>
      <p class="cell-words">{current === undefined ? 'No link.' : wordsOf(current.i, current.k)}</p>
      <p class="soft small">● together more often than by chance, ○ less often; larger is stronger.</p>
      <div class="matrix-view">
        <table class="matrix" aria-label="Links between concepts" onKeyDown={walk}>
          <thead>
            <tr>
              <td />
              {columns.map((i, at) => (
                <th key={i} scope="col" class={isFirst(columns, at) ? 'new' : undefined}>
                  <span>{concepts[i].name}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((i, at) => (
              <tr key={i} class={isFirst(rows, at) ? 'new' : undefined}>
                <th scope="row">{concepts[i].name}</th>
                {cells[at].map(({k, at: place}, n) => {
                  const {strength} = linksOf[i].get(k) ?? {strength: 0}
                  return [
                    <Gap key={`before ${k}`} from={cells[at][n - 1]?.at} to={place} />,
                    <td key={k} data-column={k}>
                      <button
                        type="button"
                        class={`d${strengthDegree(strength)}`}
                        tabIndex={current?.i === i && current.k === k ? 0 : -1}
                        aria-label={wordsOf(i, k)}
                        title={wordsOf(i, k)}
                        onFocus={() => setStop([i, k])}
                        onClick={() => studio.go({concept: concepts[i].name})}
                      >
                        {strength < 0 ? '○' : '●'}
                      </button>
                    </td>
                  ]
                })}
                <Gap from={cells[at].at(-1)?.at} to={columns.length} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="soft small foot">Arrows walk from link to link, Enter opens the card of its row.</p>
    </>
  )
}

/** The cells without a link between two that have one. */
function Gap({from = -1, to}: {from: number | undefined; to: number}) {
  const width = to - from - 1
  return width > 0 ? <td colSpan={width} /> : null
}

function linksByConcept({concepts, links}: GraphView): readonly ReadonlyMap<number, Link>[] {
  const all = concepts.map(() => new Map<number, Link>())
  for (const link of links) {
    all[link.a].set(link.b, link)
    all[link.b].set(link.a, link)
  }
  return all
}
