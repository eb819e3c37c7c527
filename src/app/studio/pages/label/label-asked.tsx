import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks'
import type {QuestionView} from '../../../session/index.ts'
import {type Studio, useStudio} from '../../store.ts'
import {Area} from '../../ui/area.tsx'
import {Button} from '../../ui/controls.tsx'
import {focusSoon, useListKeys, usePageKeys} from '../../ui/keys.ts'
import {answerWords, labelAction, TICK_KEYS, tickedAfter} from './answers.ts'

/** Milliseconds in which nobody has read a question: a key pressed twice would label a document that was not seen. */
const UNSEEN = 200

/** Whether undoing takes back an answer and nothing else. */
export function canUndoAnswer({history}: Studio): boolean {
  return history.value.undos.at(-1)?.edit.kind === 'setLabels'
}

/**
 * The question and its answers: ticks for a whole document, yes or no for one concept. No answer stands out. One question, one answer: it
 * is taken only for the question on the screen, which stays until the next one is there. `name` is that of the question.
 */
export function AskedArea({question, name}: {question: QuestionView; name: string}) {
  const studio = useStudio()
  const isShort = question.drawn === 'anchored'
  const concepts = question.concepts.map(concept => concept.name)
  const presets = question.concepts.flatMap(concept => (concept.isPreset ? concept.name : []))
  const [ticks, setTicks] = useState<{readonly of: string; readonly ticked: ReadonlySet<string>}>()
  const ticked = ticks?.of === name ? ticks.ticked : new Set(presets)
  const isAnswered = useRef(false)
  const shown = useRef(0)
  useLayoutEffect(() => {
    isAnswered.current = false
    shown.current = performance.now()
  }, [name])
  useEffect(focusQuestion, [name])
  const tick = (concept: string) => {
    const next = isAnswered.current ? ticked : tickedAfter(ticked, concept, studio.project.value.anchors)
    setTicks({of: name, ticked: next})
    return next
  }
  const give = async (given: readonly string[] | 'skip') => {
    if (isAnswered.current || performance.now() - shown.current <= UNSEEN) return
    isAnswered.current = true
    try {
      const labels = await studio.session.answer(given)
      studio.edit({kind: 'setLabels', labels, words: answerWords(question, given)})
    } catch (error) {
      isAnswered.current = false
      studio.say(error as Error)
    }
  }
  const canUndo = canUndoAnswer(studio)
  const actions = {
    yes: () => give(concepts),
    no: () => give([]),
    done: () => give(concepts.filter(concept => ticked.has(concept))),
    skip: () => give('skip'),
    undo: () => {
      if (canUndo && !isAnswered.current) studio.undo()
    }
  }
  usePageKeys(key => {
    const action = labelAction(key, isShort ? 0 : concepts.length)
    if (typeof action === 'object') tick(concepts[action.tick])
    else if (action !== undefined) actions[action]()
    return action !== undefined
  })
  return (
    <Area
      also="asked"
      title={isShort ? 'One question' : 'Concepts in this document'}
      aside={<span class="soft">judge by the text</span>}
    >
      {isShort ? (
        <p class="short-question">
          Does this document have <b>{concepts[0]}</b>?
        </p>
      ) : (
        <Ticks title={`${question.name} has`} concepts={concepts} ticked={ticked} tick={tick} />
      )}
      <div class="done">
        {isShort ? (
          <>
            <Button onClick={actions.yes}>
              Yes <kbd>y</kbd>
            </Button>
            <Button onClick={actions.no}>
              No <kbd>n</kbd>
            </Button>
          </>
        ) : (
          <Button onClick={actions.done}>
            <span>
              Done<span class="roomy">, next document</span>
            </span>{' '}
            <kbd>Enter</kbd>
          </Button>
        )}
        <Button onClick={actions.skip}>
          Skip <kbd>s</kbd>
        </Button>
        <Button disabled={!canUndo} onClick={actions.undo}>
          Undo <kbd>u</kbd>
        </Button>
      </div>
    </Area>
  )
}

interface TicksProps {
  readonly title: string
  readonly concepts: readonly string[]
  readonly ticked: ReadonlySet<string>
  /** Returns the ticks that there are then. */
  readonly tick: (concept: string) => ReadonlySet<string>
}

/** One tab stop, with arrows inside. */
function Ticks({title, concepts, ticked, tick}: TicksProps) {
  const {stop, onKeyDown, onFocus} = useListKeys(concepts.length, 0, at => `.ticks label:nth-of-type(${at + 1}) input`)
  return (
    <fieldset class="ticks" onKeyDown={onKeyDown}>
      <legend class="unseen">{title}</legend>
      {concepts.map((concept, at) => (
        <label key={concept}>
          <input
            type="checkbox"
            checked={ticked.has(concept)}
            tabIndex={at === stop ? 0 : -1}
            onFocus={() => onFocus(at)}
            onClick={event => {
              // The box follows the page, which takes no tick between two questions.
              event.currentTarget.checked = tick(concept).has(concept)
            }}
          />
          {at < TICK_KEYS.length ? <kbd>{TICK_KEYS[at]}</kbd> : <span />}
          <span>{concept}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** Ticks stand beside the text. */
const WIDE = '(min-width: 75rem)'

/**
 * A new question takes the focus of the last one: to its first tick if a tick had it and the text is in view, otherwise to its name,
 * above the text. It takes none from buttons, nor from anything outside the page.
 */
function focusQuestion(): void {
  const active = document.activeElement ?? document.body
  if (active.matches('button') || (active !== document.body && active.closest('main') === null)) return
  if (active.matches('.ticks input') && matchMedia(WIDE).matches) focusSoon('.ticks input')
  else document.getElementById('doc-title')?.focus()
}
