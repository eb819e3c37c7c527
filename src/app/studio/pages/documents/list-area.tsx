import type {ComponentChildren} from 'preact'
import {useEffect, useRef, useState} from 'preact/hooks'
import {type DocumentLine, type ListQuery, MOST_ROWS} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {useAnswer} from '../../ui/answer.ts'
import {Say} from '../../ui/area.tsx'
import {conceptOf, isScored} from '../../ui/concept-marks.ts'
import {Snippet} from '../../ui/doc-text.tsx'
import {stepInList, usePageKeys} from '../../ui/keys.ts'
import {chance, StateMark} from '../../ui/marks.tsx'

/** The height of a row in rem, as in the style sheet. */
const ROW = 5.125

/** Rows between two questions while the list is scrolled. */
const STRIDE = 20

/** Letters that walk like arrows. */
const WALKS: Readonly<Record<string, string>> = {j: 'ArrowDown', k: 'ArrowUp'}

export type DocumentsList = ReturnType<typeof useDocumentsList>

/**
 * The documents of a query, of which only the rows near the screen exist; asked for again with new results and with another `version`.
 * `opensFirst`: where no document is open, its first one is opened.
 */
export function useDocumentsList(query: ListQuery, version = 0, opensFirst = true) {
  const studio = useStudio()
  const {revision, scores} = studio.state.value
  const {document: open} = studio.view.value
  const element = useRef<HTMLDivElement>(null)
  const [from, setFrom] = useState(0)
  /** The place of a row on its way to be opened. */
  const [wanted, setWanted] = useState<number>()
  const last = useRef(0)
  const list = JSON.stringify([query, revision, scores.is, version])
  const {answer, fault} = useAnswer('', `${list} ${from}`, async () => {
    return {...(await studio.session.list(query, from, MOST_ROWS)), list}
  })
  const {rows = [], from: start = 0, total} = answer ?? {}
  const place = rows.findIndex(row => row.at === open)
  const at = wanted ?? (place < 0 ? last.current : start + place)
  last.current = at
  const rowHeight = () => ROW * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const moveTo = (to: number) => {
    setWanted(to)
    const view = element.current
    if (view === null) return
    const [top, height] = [to * rowHeight(), rowHeight()]
    view.scrollTop = Math.max(Math.min(view.scrollTop, top), top + height - view.clientHeight)
  }
  useEffect(() => {
    if (open === undefined && opensFirst) moveTo(0)
    // Only where no document is open.
  }, [open, opensFirst])
  // The row may have to arrive first.
  useEffect(() => {
    const line = wanted === undefined || answer?.list !== list ? undefined : rows[wanted - start]
    if (line === undefined) return
    setWanted(undefined)
    if (line.at !== studio.view.value.document) studio.go({document: line.at})
  })
  return {
    element,
    query,
    rows,
    start,
    total,
    fault,
    open,
    at,
    isOpen: place >= 0,
    isOld: answer !== undefined && answer.list !== list,
    moveTo,
    /** Whether a key leads to another row. */
    move(key: string): boolean {
      const perScreen = Math.floor((element.current?.clientHeight ?? 0) / rowHeight())
      const to = stepInList(WALKS[key] ?? key, at, total ?? 0, perScreen)
      if (to !== undefined) moveTo(to)
      return to !== undefined
    },
    scroll() {
      const first = (element.current?.scrollTop ?? 0) / rowHeight()
      setFrom(Math.max(0, Math.floor(first / STRIDE - 1) * STRIDE))
    }
  }
}

/** The letters j and k walk the list from anywhere on the page. */
export function useWalkingKeys(list: DocumentsList): void {
  usePageKeys(
    key => WALKS[key] !== undefined && list.move(key),
    () => true
  )
}

/** One tab stop, with keys inside; Enter goes to the text of the document. */
export function DocumentsRows({list, id, name}: {list: DocumentsList; id: string; name: string}) {
  const {element, query, rows, start, total = 0, at, open} = list
  const isThere = rows[at - start] !== undefined
  return (
    <div
      class="hits"
      ref={element}
      role="listbox"
      tabIndex={0}
      aria-label={`${name}; j and k move, Enter opens`}
      aria-activedescendant={isThere ? `${id}-${at}` : undefined}
      onScroll={list.scroll}
      onKeyDown={event => {
        if (event.ctrlKey || event.metaKey || event.altKey) return
        if (event.key === 'Enter') document.getElementById('text-title')?.focus()
        else if (!list.move(event.key)) return
        event.preventDefault()
      }}
    >
      <Room rows={start} />
      {rows.map((line, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the focus and the keys
        <div
          class="hit"
          key={line.at}
          id={`${id}-${start + i}`}
          role="option"
          aria-selected={line.at === open}
          aria-current={line.at === open ? 'true' : undefined}
          aria-setsize={total}
          aria-posinset={start + i + 1}
          tabIndex={-1}
          onClick={() => list.moveTo(start + i)}
        >
          <Line line={line} concept={query.concept}>
            <b>{line.name}</b>
          </Line>
        </div>
      ))}
      <Room rows={total - start - rows.length} />
    </div>
  )
}

/** The height of rows that do not exist. */
function Room({rows}: {rows: number}) {
  return <svg class="room" width="1" height={`${Math.max(0, rows) * ROW}rem`} aria-hidden="true" />
}

/** A document of a list: its probability, its name as the children show it, its label and its beginning. */
export function Line(props: {line: DocumentLine; concept: string | undefined; children: ComponentChildren}) {
  const {state} = useStudio()
  const {line, concept, children} = props
  const {probability, label, parts} = line
  return (
    <>
      <span class="p">{probability === undefined ? '' : chance(probability, isScored(state.value, concept))}</span>
      <span class="id">
        {children}
        {label === undefined ? null : <span class="you">{`you: ${label ? 'yes' : 'no'}`}</span>}
      </span>
      <Snippet parts={parts} concept={concept} />
    </>
  )
}

/** Says by what the list is ordered if not by the newest scores, and why it is empty or refused. */
export function ListNote({list: {query, rows, total, fault}}: {list: DocumentsList}) {
  const {state} = useStudio()
  const {scores} = state.value
  const {concept} = query
  const {refused} = conceptOf(state.value, concept) ?? {}
  const isReady = scores.is === 'ready'
  if (fault !== undefined) return <Say is="bad">{fault.message}</Say>
  if (refused !== undefined)
    return <Say is="know">{concept} is left out of the model, so no document has a probability of it.</Say>
  const mark = isReady ? null : <StateMark stage={scores} what="Scores" />
  if (total === 0) return <Say>No document matches. Widen the filter. {mark}</Say>
  if (concept === undefined || total === undefined) return null
  if (isReady)
    return isScored(state.value, concept) ? (
      <p class="say soft">Scores rank documents. The true share of {concept} is unknown: label 30.</p>
    ) : null
  const order =
    rows[0]?.probability === undefined ? 'In file order' : 'Ordered by the scores from before your last edit'
  return (
    <Say is={scores.is === 'failed' ? 'bad' : 'know'}>
      {order}. {mark} {scores.is === 'failed' ? scores.message : null}
    </Say>
  )
}
