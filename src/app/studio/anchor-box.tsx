import {useSignal} from '@preact/signals'
import {useLayoutEffect, useRef, useState} from 'preact/hooks'
import {Button, Field, Select} from './parts.tsx'
import {ProbeAnswer} from './probe-answer.tsx'
import {useVerdict} from './probe-box.tsx'
import {canAdd} from './probe-verdict.ts'
import type {Studio} from './store.ts'

/** A word or phrase on its way to an anchor: what it would bring stands there before it is accepted. */
export function AnchorBox(props: {
  readonly studio: Studio
  readonly feature: string
  readonly concept: string | undefined
  readonly onClose: () => void
}) {
  const {studio, onClose} = props
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
        <ProbeAnswer
          studio={studio}
          concept={concept}
          feature={feature}
          verdict={verdict}
          draft={draft}
          isBrief
          onDone={onClose}
        />
      </div>
    </section>
  )
}
