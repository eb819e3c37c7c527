import type {RefObject} from 'preact'
import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks'
import type {QuestionView} from '../../../session/index.ts'
import {Button} from '../../ui/controls.tsx'
import {stepInList, usePageKeys} from '../../ui/keys.ts'
import type {LabelFlow} from './label-flow.ts'

/** Milliseconds in which nobody has read a question: a key pressed twice would label a document that was not seen. */
const UNSEEN = 200

type Given = 'done' | 'yes' | 'no' | 'skip' | 'undo'

/** The question and its answers: ticks for a whole document, yes or no for one concept. */
export function AskedArea({flow, question}: {flow: LabelFlow; question: QuestionView}) {
  const ticks = useRef<HTMLElement>(null)
  const [at, setAt] = useState(0)
  const isShort = question.drawn === 'anchored'
  const asked = flow.asked.value
  const shown = useRef(0)
  useLayoutEffect(() => {
    shown.current = performance.now()
  }, [asked])
  const giveSeen = (kind: Given) => {
    if (kind === 'undo' || performance.now() - shown.current > UNSEEN) give(flow, question, kind)
  }
  // A new question begins at its first tick.
  useEffect(() => {
    setAt(0)
    focusQuestion(ticks.current)
  }, [asked])

  const act = (action: LabelAction) => {
    if (action.kind === 'move') {
      setAt(action.at)
      focusTick(ticks.current, action.at)
    } else if (action.kind === 'tick') flow.tick(question.concepts[action.at].name)
    else giveSeen(action.kind)
  }
  usePageKeys(
    key => {
      const action = labelAction(key, {isShort, ticks: question.concepts.length, at})
      // Elsewhere arrows scroll the text.
      if (action?.kind === 'move' && !ticks.current?.contains(document.activeElement)) return false
      if (action !== undefined) act(action)
      return action !== undefined
    },
    key => key.startsWith('Arrow')
  )
  return (
    <section class="area asked" aria-labelledby="tick-title">
      <div class="head">
        <h2 id="tick-title">{isShort ? 'One question' : 'Concepts in this document'}</h2>
        {isShort ? <span class="soft">judge by the text, not by the anchor</span> : null}
      </div>
      {isShort ? (
        <p class="short-question">
          Does this document have <b>{question.concepts[0]?.name}</b>?
        </p>
      ) : (
        <Ticks flow={flow} question={question} at={at} onFocus={setAt} list={ticks} />
      )}
      <div class="done">
        {isShort ? (
          <>
            <Button look="primary" onClick={() => giveSeen('yes')}>
              Yes <kbd>y</kbd>
            </Button>
            <Button also="no" onClick={() => giveSeen('no')}>
              No <kbd>n</kbd>
            </Button>
          </>
        ) : (
          <Button look="primary" onClick={() => giveSeen('done')}>
            <span>
              Done<span class="roomy">, next document</span>
            </span>{' '}
            <kbd>Enter</kbd>
          </Button>
        )}
        <Button onClick={() => giveSeen('skip')}>
          Skip <kbd>s</kbd>
        </Button>
        <Button disabled={!flow.canUndo.value} onClick={() => flow.undo()}>
          Undo <kbd>u</kbd>
        </Button>
      </div>
    </section>
  )
}

function give(flow: LabelFlow, question: QuestionView, kind: Given): void {
  if (kind === 'undo') flow.undo()
  else if (kind === 'skip' || kind === 'done') void flow.answer(kind === 'skip' ? kind : undefined)
  else void flow.answer(kind === 'yes' ? question.concepts.map(({name}) => name) : [])
}

function Ticks(props: {
  readonly flow: LabelFlow
  readonly question: QuestionView
  /** The tick that Tab reaches. */
  readonly at: number
  readonly onFocus: (at: number) => void
  readonly list: RefObject<HTMLElement | null>
}) {
  const {flow, question, at, onFocus, list} = props
  const ticked = flow.ticked.value
  return (
    <fieldset class="ticks" ref={list as RefObject<HTMLFieldSetElement>}>
      <legend class="unseen">{`${question.name} has`}</legend>
      {question.concepts.map(({name}, place) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={ticked.has(name)}
            tabIndex={place === at ? 0 : -1}
            onFocus={() => onFocus(place)}
            onClick={event => {
              flow.tick(name)
              // The box follows the flow, which takes no tick between two questions.
              event.currentTarget.checked = flow.ticked.value.has(name)
            }}
          />
          {place < TICK_KEYS.length ? <kbd>{TICK_KEYS[place]}</kbd> : <span />}
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** Ticks stand beside the text. */
const WIDE = '(min-width: 75rem)'

/**
 * A new question takes the focus of the last one: to its first tick if a tick had it and the text is in view, otherwise to its
 * name, above the text. It takes none from buttons, nor from anything outside the page.
 */
function focusQuestion(list: HTMLElement | null): void {
  const active = document.activeElement
  const isFree = active === null || active === document.body || active.closest('main') !== null
  if (!isFree || active?.matches('button')) return
  if (active?.matches('.ticks input') && matchMedia(WIDE).matches) focusTick(list, 0)
  else document.getElementById('doc-title')?.focus()
}

function focusTick(list: HTMLElement | null, at: number): void {
  list?.querySelectorAll<HTMLElement>('input')[at]?.focus()
}

/** Keys that tick the concepts, in order; `s` and `u` are commands. */
export const TICK_KEYS = '123456789abcdefghijklmnopqrtvwxyz'

export type LabelAction =
  | {readonly kind: 'tick' | 'move'; readonly at: number}
  | {readonly kind: 'done' | 'yes' | 'no' | 'skip' | 'undo'}

/** The question on the screen, as far as keys need it: a short question has no ticks. */
interface TickList {
  readonly isShort: boolean
  readonly ticks: number
  /** The tick that has the focus. */
  readonly at: number
}

/** What a key does; undefined where it does nothing. */
export function labelAction(key: string, list: TickList): LabelAction | undefined {
  if (key === 's') return {kind: 'skip'}
  if (key === 'u') return {kind: 'undo'}
  if (list.isShort) return key === 'y' ? {kind: 'yes'} : key === 'n' ? {kind: 'no'} : undefined
  if (key === 'Enter') return {kind: 'done'}
  const to = stepInList(key, list.at, list.ticks)
  if (to !== undefined) return {kind: 'move', at: to}
  const at = key.length === 1 ? TICK_KEYS.indexOf(key) : -1
  return at >= 0 && at < list.ticks ? {kind: 'tick', at} : undefined
}
