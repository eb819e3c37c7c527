import {type Signal, useSignal} from '@preact/signals'
import {useEffect, useId, useLayoutEffect, useRef, useState} from 'preact/hooks'
import type {Studio} from '../../store.ts'
import {useStudio} from '../../store.ts'
import {useLatest, versionOf} from '../../ui/answer.ts'
import {Button, Field, Select} from '../../ui/controls.tsx'
import {focusSoon} from '../../ui/focus.ts'
import {canAdd, isRefused, ProbeAnswer, type Verdict, verdictOf} from './probe-answer.tsx'

/** A word on trial: each key asks the session, and the answer stands below before anything is accepted. */
export function ProbeBox({concept, draft}: {concept: string; draft: Signal<string>}) {
  const studio = useStudio()
  const feature = draft.value.trim()
  const verdict = useVerdict(studio, concept, feature)
  const add = () => {
    const before = studio.project.value
    studio.edit({kind: 'addMember', concept, feature})
    // What was refused after all stays in the box.
    if (studio.project.value !== before) draft.value = ''
  }
  const submit = useEnter(feature, verdict, add)
  const id = useId()
  return (
    <form class="probe" onSubmit={submit}>
      <label class="unseen" for={id}>
        {`A word, a phrase or an /expression/, for ${concept}`}
      </label>
      <input
        class="field"
        id={id}
        value={draft.value}
        placeholder="word, phrase or /expression/"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        aria-invalid={verdict.is === 'bad' || verdict.is === 'taken' ? true : undefined}
        aria-describedby={`${id}-answer`}
        onInput={event => {
          draft.value = event.currentTarget.value
        }}
        onKeyDown={event => {
          if (event.key === 'Escape') draft.value = ''
        }}
      />
      <Button type="submit" look="primary" title={`Add to ${concept}`} disabled={isRefused(verdict)}>
        <span class="clip">{verdict.is === 'nowhere' ? 'Add anyway' : `Add to ${concept}`}</span> <kbd>Enter</kbd>
      </Button>
      <div class="answer" id={`${id}-answer`} aria-busy={verdict.is === 'asking'}>
        <ProbeAnswer
          concept={concept}
          feature={feature}
          verdict={verdict}
          draft={draft}
          onDone={() => {
            draft.value = ''
            focusSoon('.probe .field')
          }}
        />
      </div>
    </form>
  )
}

/** What the session says of a feature while it is typed. */
function useVerdict(studio: Studio, concept: string, feature: string): Verdict {
  const state = studio.state.value
  const hasDocuments = state.documents > 0
  const question = feature === '' || !hasDocuments ? undefined : {concept, feature}
  const key = JSON.stringify([versionOf(state), concept, feature])
  const asked = useLatest(question, key, () => studio.session.probe(concept, feature))
  return verdictOf({concept, feature}, studio.project.value.anchors, hasDocuments, asked)
}

/** Enter adds what may be added. Before the answer is there it waits for it, so that typing fast skips no check. */
function useEnter(feature: string, verdict: Verdict, add: () => void) {
  const [waiting, setWaiting] = useState<string>()
  // The rest follows from the verdict.
  useEffect(() => {
    if (waiting === undefined || (verdict.is === 'asking' && waiting === feature)) return
    setWaiting(undefined)
    if (waiting === feature && canAdd(verdict, false)) add()
  }, [waiting, verdict.is, feature])
  return (event: Event) => {
    event.preventDefault()
    if (verdict.is === 'asking') setWaiting(feature)
    else if (canAdd(verdict, true)) add()
  }
}

/** A word or phrase on its way to an anchor: what it would bring stands there before it is accepted. */
export function AnchorBox(props: {
  readonly feature: string
  readonly concept: string | undefined
  readonly onClose: () => void
}) {
  const studio = useStudio()
  const {onClose} = props
  const names = studio.project.value.anchors.map(({concept}) => concept)
  const input = useRef<HTMLInputElement>(null)
  const draft = useSignal(props.feature)
  const [at, setAt] = useState(Math.max(0, names.indexOf(props.concept ?? '')))
  const concept = names[at] ?? ''
  const feature = draft.value.trim()
  const verdict = useVerdict(studio, concept, concept === '' ? '' : feature)
  const isAddable = canAdd(verdict, false)
  // Opened by the button, it is there to be typed in; opened by a selection, the selection stays.
  useLayoutEffect(() => {
    if (props.feature === '') input.current?.focus()
  }, [props.feature])
  const add = () => {
    if (!isAddable) return
    studio.edit({kind: 'addMember', concept, feature})
    onClose()
  }
  if (names.length === 0) return <p class="say">Add a concept on the Anchors page first.</p>
  return (
    <section class="anchor-box" aria-label="Use as an anchor">
      <Field
        label="Use as an anchor"
        placeholder="a word, a phrase or an /expression/"
        value={draft.value}
        inputRef={input}
        onInput={typed => {
          draft.value = typed
        }}
        onKeyDown={event => {
          if (event.key === 'Enter') add()
          else if (event.key === 'Escape') onClose()
        }}
      />
      <Select
        label="of"
        value={String(at)}
        options={names.map((name, place) => [String(place), name] as const)}
        onPick={place => setAt(Number(place))}
      />
      <div class="rowed">
        <Button disabled={!isAddable} onClick={add}>
          Add
        </Button>
        <Button look="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
      <div class="found" aria-busy={verdict.is === 'asking'}>
        <ProbeAnswer concept={concept} feature={feature} verdict={verdict} draft={draft} isBrief onDone={onClose} />
      </div>
    </section>
  )
}
