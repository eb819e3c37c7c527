import type {Signal} from '@preact/signals'
import {useEffect, useId, useRef, useState} from 'preact/hooks'
import type {Probe} from '../desk/index.ts'
import {type Asked, NewestAnswer} from './newest-answer.ts'
import {Button} from './parts.tsx'
import {ProbeAnswer} from './probe-answer.tsx'
import {canAdd, type ProbeQuestion, type Verdict, verdictOf} from './probe-verdict.ts'
import type {Studio} from './store.ts'
import {versionOf} from './use-answer.ts'

/** A word on trial: each key asks the desk, and the answer stands below before anything is accepted. */
export function ProbeBox({studio, concept, draft}: {studio: Studio; concept: string; draft: Signal<string>}) {
  const feature = draft.value.trim()
  const asked = useProbe(studio, concept, feature)
  const verdict = verdictOf({concept, feature}, studio.project.value.anchors, studio.state.value.documents > 0, asked)
  const add = () => {
    studio.edit({kind: 'addMember', concept, feature})
    draft.value = ''
  }
  const submit = useEnter(feature, verdict, add)
  const id = useId()
  const isInvalid = verdict.is === 'bad' || verdict.is === 'taken'
  return (
    <form class="probe" onSubmit={submit}>
      <label class="unseen" for={id}>
        {`A word, a phrase or an /expression/, for ${concept}`}
      </label>
      <input
        class="field"
        id={id}
        value={draft.value}
        placeholder="type a word, phrase or /expression/"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        aria-invalid={isInvalid ? true : undefined}
        aria-describedby={`${id}-answer`}
        onInput={event => {
          draft.value = event.currentTarget.value
        }}
        onKeyDown={event => {
          if (event.key === 'Escape') draft.value = ''
        }}
      />
      <Button type="submit" look="primary" title={`Add to ${concept}`}>
        <span class="clip">{verdict.is === 'nowhere' ? 'Add all the same' : `Add to ${concept}`}</span> <kbd>Enter</kbd>
      </Button>
      <div class="answer" id={`${id}-answer`} aria-busy={verdict.is === 'asking'}>
        <ProbeAnswer studio={studio} concept={concept} feature={feature} verdict={verdict} draft={draft} />
      </div>
    </form>
  )
}

/** The newest answer of the desk about what is typed; asked again when the desk knows more. */
function useProbe(studio: Studio, concept: string, feature: string): Asked<ProbeQuestion, Probe> {
  const [asked, setAsked] = useState<Asked<ProbeQuestion, Probe>>({question: undefined})
  const newest = useRef<NewestAnswer<ProbeQuestion, Probe>>(undefined)
  newest.current ??= new NewestAnswer(question => studio.desk.probe(question.concept, question.feature), setAsked)
  const version = versionOf(studio.state.value)
  const hasDocuments = studio.state.value.documents > 0
  // A new version may have a new answer to the same question.
  useEffect(() => {
    if (feature === '' || !hasDocuments) newest.current?.clear()
    else newest.current?.want({concept, feature})
  }, [concept, feature, version, hasDocuments])
  return asked
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
