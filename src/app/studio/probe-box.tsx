import type {Signal} from '@preact/signals'
import {useEffect, useId, useState} from 'preact/hooks'
import {focusSoon} from './focus.ts'
import {Button} from './parts.tsx'
import {ProbeAnswer} from './probe-answer.tsx'
import {canAdd, isRefused, type Verdict, verdictOf} from './probe-verdict.ts'
import type {Studio} from './store.ts'
import {useLatest, versionOf} from './use-answer.ts'

/** A word on trial: each key asks the desk, and the answer stands below before anything is accepted. */
export function ProbeBox({studio, concept, draft}: {studio: Studio; concept: string; draft: Signal<string>}) {
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
          studio={studio}
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

/** What the desk says of a feature while it is typed. */
export function useVerdict(studio: Studio, concept: string, feature: string): Verdict {
  const state = studio.state.value
  const hasDocuments = state.documents > 0
  const question = feature === '' || !hasDocuments ? undefined : {concept, feature}
  const key = JSON.stringify([versionOf(state), concept, feature])
  const asked = useLatest(question, key, () => studio.desk.probe(concept, feature))
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
