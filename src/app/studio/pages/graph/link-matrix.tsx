import {useMemo, useRef, useState} from 'preact/hooks'
import {percent} from '../../../../base/text/index.ts'
import {type Link, strengthDegree} from '../../../../use/facts/index.ts'
import {linkText} from '../../../present/index.ts'
import type {GraphView} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {Choices} from '../../ui/controls.tsx'
import {focusSoon} from '../../ui/keys.ts'
import {topToShow, visibleRows} from '../../ui/rows.ts'
import {type ConceptOrder, matrixRow, sortedConcepts} from './graph-order.ts'

interface MatrixProps {
  readonly graph: GraphView
  /** Rows are those of `found`; rows and columns those of `near`. */
  readonly found: ReadonlySet<number>
  readonly near: ReadonlySet<number> | undefined
}

type Cell = readonly [row: number, column: number]

/** Who has to do with whom at one look. Only rows on the screen are there, and in them cells with a link and the one at hand: 200 concepts have 40,000. */
export function LinkMatrix({graph, found, near}: MatrixProps) {
  const [by, setBy] = useState<ConceptOrder>('cluster')
  const [[row, column], setCell] = useState<Cell>([0, 0])
  const columns = useMemo(() => sortedConcepts(graph, by).filter(i => near?.has(i) ?? true), [graph, by, near])
  const rows = useMemo(() => columns.filter(i => found.has(i)), [columns, found])
  const linksOf = useMemo(() => linksByConcept(graph, columns), [graph, columns])
  const view = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const shown = visibleRows({top, height: view.current?.clientHeight ?? innerHeight, row: ROW}, rows.length)
  const [r, c] = [Math.min(row, rows.length - 1), Math.min(column, columns.length - 1)]
  // The tab stop is a cell that is there.
  const stop = Math.max(shown.from, Math.min(r, shown.to - 1))
  const walk = useRef((_: KeyboardEvent) => {})
  walk.current = event => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const to = step(event.key, [r, c], [rows.length, columns.length])
    if (to === undefined) return
    event.preventDefault()
    setCell(to)
    const {scrollTop = 0, clientHeight = HEAD} = view.current ?? {}
    const next = topToShow(to[0], {top: scrollTop, height: clientHeight - HEAD, row: ROW})
    view.current?.scrollTo({top: next})
    setTop(next)
    focusSoon('.matrix [tabindex="0"]')
  }
  if (rows.length === 0) return <p class="soft">No concept matches.</p>
  const {concepts} = graph
  const isFirst = (list: readonly number[], at: number) =>
    by === 'cluster' && at > 0 && concepts[list[at]].cluster !== concepts[list[at - 1]].cluster
  return (
    <>
      <div class="rowed">
        <Choices
          legend="Order of the concepts"
          value={by}
          options={[
            ['cluster', 'By cluster'],
            ['name', 'By name'],
            ['prevalence', 'By prevalence']
          ]}
          onPick={setBy}
        />
      </div>
      <p class="cell-words">{cellWords(graph, rows[r], columns[c], linksOf.get(rows[r])?.get(c))}</p>
      <p class="soft small">● together more often than by chance, ○ less often; larger is stronger.</p>
      <div class="matrix-view" ref={view} onScroll={event => setTop(event.currentTarget.scrollTop)}>
        <table class="matrix" aria-label="Links between concepts">
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
            <Room rows={shown.from} />
            {rows.slice(shown.from, shown.to).map((i, place) => (
              <Row
                key={i}
                graph={graph}
                concept={i}
                columns={columns}
                links={linksOf.get(i) ?? NO_LINKS}
                current={shown.from + place === stop ? c : undefined}
                isNew={isFirst(rows, shown.from + place)}
                row={shown.from + place}
                walk={walk}
                onPick={setCell}
              />
            ))}
            <Room rows={rows.length - shown.to} />
          </tbody>
        </table>
      </div>
      <p class="soft small foot">
        Full: likelier together; ring: rarer together; larger: stronger. Arrows walk from cell to cell, Enter opens the
        card of the row.
      </p>
    </>
  )
}

/** Pixels: a row, and the names of the columns. */
const ROW = 25
const HEAD = 145

/** The place of rows that are not there. */
function Room({rows}: {rows: number}) {
  return rows === 0 ? null : (
    <tr>
      <td>
        <svg class="room" width="1" height={rows * ROW} aria-hidden="true" />
      </td>
    </tr>
  )
}

const NO_LINKS: ReadonlyMap<number, Link> = new Map()

/** The links of each concept, by the places of their other ends among the columns. */
function linksByConcept({concepts, links}: GraphView, columns: readonly number[]) {
  const place = new Map(columns.map((i, at) => [i, at]))
  const all = concepts.map(() => new Map<number, Link>())
  for (const link of links) {
    const [a, b] = [place.get(link.a), place.get(link.b)]
    if (b !== undefined) all[link.a].set(b, link)
    if (a !== undefined) all[link.b].set(a, link)
  }
  return new Map(all.map((own, i) => [i, own]))
}

const PAGE = 10

function step(key: string, [row, column]: Cell, [rows, columns]: Cell): Cell | undefined {
  const to: Readonly<Record<string, Cell>> = {
    ArrowDown: [row + 1, column],
    ArrowUp: [row - 1, column],
    ArrowRight: [row, column + 1],
    ArrowLeft: [row, column - 1],
    PageDown: [row + PAGE, column],
    PageUp: [row - PAGE, column],
    Home: [row, 0],
    End: [row, columns - 1]
  }
  const within = (at: number, length: number) => Math.max(0, Math.min(at, length - 1))
  return to[key] && [within(to[key][0], rows), within(to[key][1], columns)]
}

function cellWords({concepts}: GraphView, row: number, column: number, link: Link | undefined): string {
  const [a, b] = [concepts[row].name, concepts[column].name]
  const {prevalence} = concepts[row]
  if (row === column) return prevalence === undefined ? a : `${a}: in ${percent(prevalence)} of documents`
  return link === undefined ? `${a} and ${b}: no link` : `${a} and ${b} occur together ${linkText(link.strength)}`
}

interface RowProps {
  readonly graph: GraphView
  readonly concept: number
  readonly columns: readonly number[]
  readonly links: ReadonlyMap<number, Link>
  readonly current: number | undefined
  readonly isNew: boolean
  readonly row: number
  readonly walk: {readonly current: (event: KeyboardEvent) => void}
  readonly onPick: (cell: Cell) => void
}

/** Drawn again only where the cell at hand comes or goes. */
function Row({graph, concept, columns, links, current, isNew, row, walk, onPick}: RowProps) {
  const studio = useStudio()
  const {name} = graph.concepts[concept]
  const cell = (column: number, link: Link | undefined) => {
    const words = cellWords(graph, concept, columns[column], link)
    return (
      <td key={column}>
        <button
          type="button"
          class={link && `d${strengthDegree(link.strength)}`}
          tabIndex={column === current ? 0 : -1}
          aria-label={words}
          title={words}
          onFocus={() => onPick([row, column])}
          onKeyDown={event => walk.current(event)}
          onClick={() => studio.go({concept: name})}
        >
          {link === undefined ? '' : link.strength < 0 ? '○' : '●'}
        </button>
      </td>
    )
  }
  return useMemo(
    () => (
      <tr class={isNew ? 'new' : undefined}>
        <th scope="row">{name}</th>
        {matrixRow(columns.length, links, current).map(part =>
          'gap' in part ? <td key={`gap ${part.from}`} colSpan={part.gap} /> : cell(part.column, part.link)
        )}
      </tr>
    ),
    [graph, concept, columns, links, current, isNew, row]
  )
}
