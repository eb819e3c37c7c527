import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks'
import {grouped} from '../../../../base/text/index.ts'
import type {DocumentLine} from '../../../session/index.ts'
import type {Studio} from '../../store.ts'
import {useStudio} from '../../store.ts'
import {isScored} from '../../ui/concept-marks.ts'
import {Snippet} from '../../ui/doc-text.tsx'
import {stepInList, usePageKeys} from '../../ui/keys.ts'
import {chance, StateMark} from '../../ui/marks.tsx'
import {type RowRange, topToShow, visibleRows} from '../../ui/rows.ts'

/** The height of a row until one is measured. */
const ROW = 82

/** Letters that walk like arrows. */
const WALKS: Readonly<Record<string, string>> = {j: 'ArrowDown', k: 'ArrowUp'}

/** The rows of a long list near those on the screen. */
export interface ListRows {
  /** Documents of the list; undefined before the first answer. */
  readonly total: number | undefined
  readonly fault: string | undefined
  /** Whether the rows that are there belong to the list that is wanted now. */
  readonly isCurrent: boolean
  /** One of the rows that are there. */
  readonly any: DocumentLine | undefined
  /** A row, once it is there. */
  row(at: number): DocumentLine | undefined
  /** The place of a document among the rows that are there; -1 where it is not. */
  place(document: number): number
  /** The rows on the screen. */
  need(range: RowRange): void
}

/** Moves to the next or the last document, for buttons outside the list. */
export type Step = {current: ((key: 'j' | 'k') => void) | null}

/** The documents of the query; only the rows on the screen exist. One tab stop, with keys inside. */
export function ListArea(props: {rows: ListRows; step: Step; onOpen: () => void}) {
  const studio = useStudio()
  const {rows, step, onOpen} = props
  const {document: open, query} = studio.view.value
  const total = rows.total ?? 0
  const {list, range, row, reveal} = useViewport(total, rows)
  const {at, moveTo} = useCursor(studio, rows, reveal)
  const move = (key: string) => {
    const perScreen = Math.floor((list.current?.clientHeight ?? 0) / row)
    const to = stepInList(WALKS[key] ?? key, at, total, perScreen)
    if (to !== undefined) moveTo(to)
    return to !== undefined
  }
  step.current = move
  usePageKeys(
    key => (key === 'j' || key === 'k') && move(key),
    () => true
  )
  const shown = Array.from({length: range.to - range.from}, (_, place) => range.from + place)
  const name = rows.row(at)?.name
  return (
    <div class="list">
      <button type="button" class="button fold-button" popovertarget="rows">
        <span>{name === undefined ? 'Documents' : `${name}, ${grouped(at + 1)} of ${grouped(total)}`}</span>{' '}
        <span aria-hidden="true">▾</span>
      </button>
      <div class="fold" id="rows" popover="auto">
        <ListNote rows={rows} />
        <div
          class="hits"
          ref={list}
          role="listbox"
          tabIndex={0}
          aria-label={`Documents, ${query.concept === undefined ? 'in file order' : 'likeliest first'}; j and k move, Enter opens`}
          aria-activedescendant={at >= range.from && at < range.to ? `hit-${at}` : undefined}
          onKeyDown={event => {
            if (event.ctrlKey || event.metaKey || event.altKey) return
            if (event.key === 'Enter') onOpen()
            else if (!move(event.key)) return
            event.preventDefault()
          }}
        >
          <svg class="room" width="1" height={range.from * row} aria-hidden="true" />
          {shown.map(place => (
            <Hit
              key={place}
              id={`hit-${place}`}
              place={place}
              total={total}
              line={rows.row(place)}
              concept={query.concept}
              isScore={isScored(studio.state.value, query.concept)}
              isOpen={rows.row(place)?.at === open}
              onPick={() => {
                moveTo(place)
                closeFold()
              }}
            />
          ))}
          <svg class="room" width="1" height={Math.max(0, total - range.to) * row} aria-hidden="true" />
        </div>
      </div>
    </div>
  )
}

/** On narrow screens the list lies over the page. */
export function closeFold(): void {
  const fold = document.getElementById('rows')
  if (fold?.matches(':popover-open')) fold.hidePopover()
}

export function Hit(props: {
  id: string
  place: number
  total: number
  line: DocumentLine | undefined
  concept: string | undefined
  isScore: boolean
  isOpen: boolean
  onPick: () => void
}) {
  const {id, place, total, line, concept, isScore, isOpen, onPick} = props
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the focus and the keys
    <div
      class="hit"
      id={id}
      role="option"
      aria-selected={isOpen}
      aria-current={isOpen ? 'true' : undefined}
      aria-setsize={total}
      aria-posinset={place + 1}
      tabIndex={-1}
      onClick={onPick}
    >
      {line === undefined ? (
        <span class="id soft">…</span>
      ) : (
        <>
          <span class="p">{line.probability === undefined ? '' : chance(line.probability, isScore)}</span>
          <span class="id">
            <b>{line.name}</b>
            {line.label === undefined ? null : <span class="you">{`you: ${line.label ? 'yes' : 'no'}`}</span>}
          </span>
          <Snippet parts={line.parts} concept={concept} />
        </>
      )}
    </div>
  )
}

/** The part of the list on the screen. */
function useViewport(total: number, rows: ListRows) {
  const list = useRef<HTMLDivElement>(null)
  const [row, setRow] = useState(ROW)
  const [range, setRange] = useState<RowRange>({from: 0, to: 0})
  const measure = () => {
    const element = list.current
    if (element === null) return
    const {scrollTop: top, clientHeight: height} = element
    const next = visibleRows({top, height, row}, total)
    setRange(before => (before.from === next.from && before.to === next.to ? before : next))
    rows.need(next)
  }
  const latest = useRef(measure)
  latest.current = measure
  useLayoutEffect(() => {
    const element = list.current
    if (element === null) return undefined
    const look = () => latest.current()
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, {passive: true})
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [])
  // A new length or height moves the rows.
  useLayoutEffect(measure, [total, row])
  // Measured once there is a row: every measure makes the browser lay out the page.
  const hasRows = range.to > range.from
  useLayoutEffect(() => {
    const height = list.current?.querySelector('.hit')?.getBoundingClientRect().height ?? 0
    if (height > 0) setRow(height)
  }, [hasRows])
  const reveal = (at: number) => {
    const element = list.current
    if (element !== null) element.scrollTop = topToShow(at, {top: element.scrollTop, height: element.clientHeight, row})
  }
  return {list, range, row, reveal}
}

/** The row at hand; its document opens as soon as the row is there. */
function useCursor(studio: Studio, rows: ListRows, reveal: (at: number) => void) {
  const {document: open} = studio.view.value
  const [cursor, setCursor] = useState(0)
  const isWanted = useRef(false)
  const place = open === undefined || isWanted.current ? -1 : rows.place(open)
  const at = place >= 0 ? place : cursor
  const moveTo = (to: number) => {
    isWanted.current = true
    setCursor(to)
    reveal(to)
    const there = rows.row(to)
    if (there !== undefined) openLine(there)
  }
  const openLine = (row: DocumentLine) => {
    isWanted.current = false
    if (row.at !== studio.view.value.document) studio.go({document: row.at})
  }
  // A list without an open document opens its first.
  useEffect(() => {
    if (open !== undefined) return
    isWanted.current = true
    setCursor(0)
    reveal(0)
    // Only when no document is open.
  }, [open])
  // Looked up now: since the last drawing the list may have become another.
  useEffect(() => {
    const line = rows.row(at)
    if (isWanted.current && line !== undefined && rows.isCurrent) openLine(line)
  })
  return {at, moveTo}
}

/** Says by what the list is ordered if not by the newest scores, and why it is empty or refused. */
function ListNote({rows}: {rows: ListRows}) {
  const studio = useStudio()
  const {fault, total} = rows
  if (fault !== undefined) return <p class="say bad">{fault}</p>
  const {query} = studio.view.value
  const {scores, concepts} = studio.state.value
  const hasRange = query.low !== undefined || query.high !== undefined
  if (concepts.some(({name, refused}) => name === query.concept && refused !== undefined))
    return (
      <p class="say know">
        {query.concept} is left out of the model, so documents have no probability for it
        {hasRange ? ', and none is in the range.' : '; they are in file order.'}
      </p>
    )
  if (total === 0 && (scores.is === 'ready' || scores.is === 'old' || !hasRange))
    return <p class="say">No document matches. Widen the filter.</p>
  if (query.concept === undefined || total === undefined) return null
  if (scores.is === 'ready')
    return isScored(studio.state.value, query.concept) ? (
      <p class="say soft">Scores rank documents. The true share of {query.concept} is unknown: label 30.</p>
    ) : null
  const hasScores = rows.any?.probability !== undefined
  if (scores.is === 'failed')
    return (
      <p class="say bad">
        <StateMark stage={scores} /> {scores.message}
      </p>
    )
  if (!hasScores)
    return (
      <p class="say know">
        {hasRange ? 'No probability is in the range' : 'In file order'}: documents have no scores yet.{' '}
        <StateMark stage={scores} what="Scores" />
      </p>
    )
  return (
    <p class="say">
      {scores.is === 'provisional' ? null : <StateMark stage={{is: 'old'}} />} Ordered by the scores from before your
      last edit. {scores.is === 'old' ? null : <StateMark stage={scores} />}
    </p>
  )
}
