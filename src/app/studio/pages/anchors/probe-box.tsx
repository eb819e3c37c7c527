import {type Signal, useSignal} from '@preact/signals'
import type {ComponentChildren} from 'preact'
import {useId, useLayoutEffect, useRef, useState} from 'preact/hooks'
import type {AdfaError} from '../../../../base/checks/index.ts'
import {counted, grouped, listed} from '../../../../base/text/index.ts'
import type {Probe} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {useAnswer, versionOf} from '../../ui/answer.ts'
import {Say} from '../../ui/area.tsx'
import {isScored} from '../../ui/concept-marks.ts'
import {Button, Field, Select} from '../../ui/controls.tsx'
import {GoLink} from '../../ui/go-link.tsx'
import {focusSoon} from '../../ui/keys.ts'
import {chance} from '../../ui/marks.tsx'
import {sentence} from '../../ui/sentence.ts'

interface ProbeProps {
  readonly concept: string
  readonly draft: Signal<string>
  /** What is said in a word or two: no help and no examples. */
  readonly isBrief?: boolean
  /** Leaves the box after a word was added, or without one. */
  readonly onClose?: () => void
  /** Between the word and its answer. */
  readonly children?: ComponentChildren
}

/** A word on trial: each key asks the session, and the answer stands below before anything is accepted. */
export function ProbeBox({concept, draft, isBrief = false, onClose, children}: ProbeProps) {
  const studio = useStudio()
  const state = studio.state.value
  const [waiting, setWaiting] = useState<readonly string[]>([])
  const input = useRef<HTMLInputElement>(null)
  const feature = draft.value.trim()
  const ask = (of: string) =>
    studio.session.probe(concept, of).then(
      (probe): Asked => ({of, probe}),
      (fault: Error): Asked => ({of, fault})
    )
  const hasDocuments = state.documents > 0
  const version = JSON.stringify([versionOf(state), feature])
  const {answer} = useAnswer(feature !== '' && hasDocuments ? concept : undefined, version, () => ask(feature))
  const edit = {kind: 'addMember', concept, feature} as const
  const verdict = verdictOf(feature, studio.refusalOf(edit), hasDocuments, answer)
  const isBad = verdict.is === 'refused'
  const id = useId()
  // Opened empty, it is there to be typed in; opened by a selection, the selection stays.
  useLayoutEffect(() => {
    if (onClose !== undefined && draft.value === '') input.current?.focus()
  }, [])
  const clear = () => {
    draft.value = ''
    if (onClose === undefined) focusSoon('.probe .field')
    else onClose()
  }
  /** Typing fast skips no check: the word leaves the box at once, and comes back where something must be read first. */
  const addUnseen = async () => {
    draft.value = ''
    setWaiting(all => [...all, feature])
    const {is} = verdictOf(feature, studio.refusalOf(edit), true, await ask(feature))
    setWaiting(all => all.filter(each => each !== feature))
    if (is === 'fine') studio.edit(edit)
    else if (draft.value === '') draft.value = feature
    else studio.say(`Not added: ${feature}`)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    if (verdict.is === 'asking') void addUnseen()
    else if (ADDABLE.includes(verdict.is)) {
      studio.edit(edit)
      clear()
    }
  }
  return (
    <form class="probe" onSubmit={submit}>
      <Field
        label={`A word, a phrase or an /expression/, for ${concept}`}
        isBare
        inputRef={input}
        value={draft.value}
        placeholder="word, phrase or /expression/"
        autocapitalize="off"
        aria-invalid={isBad || undefined}
        aria-describedby={id}
        onInput={typed => {
          draft.value = typed
        }}
        onKeyDown={({key}) => {
          if (key === 'Escape') clear()
        }}
      />
      {children}
      <div class="rowed">
        <Button type="submit" look="primary" title={`Add to ${concept}`} disabled={isBad}>
          <span class="clip">{verdict.is === 'nowhere' ? 'Add anyway' : `Add to ${concept}`}</span> <kbd>Enter</kbd>
        </Button>
        {onClose === undefined ? null : (
          <Button look="quiet" onClick={clear}>
            Close
          </Button>
        )}
      </div>
      <div class={isBrief ? 'found' : 'answer'} id={id} aria-busy={verdict.is === 'asking'}>
        {waiting.length > 0 ? <p class="soft" role="status">{`Adding ${listed(waiting)} …`}</p> : null}
        <Answer {...{concept, feature, verdict, isBrief, draft}} onDone={clear} />
      </div>
    </form>
  )
}

/** A word or phrase of a document on its way to an anchor. */
export function AnchorBox(props: {feature: string; concept: string | undefined; onClose: () => void}) {
  const names = useStudio().project.value.anchors.map(({concept}) => concept)
  const draft = useSignal(props.feature)
  const [picked, setPicked] = useState(props.concept ?? '')
  if (names.length === 0) return <Say>Add a concept on the Anchors page first.</Say>
  const concept = names.includes(picked) ? picked : names[0]
  return (
    <section class="anchor-box" aria-label="Use as an anchor">
      <ProbeBox concept={concept} draft={draft} isBrief onClose={props.onClose}>
        <Select label="of" isBare value={concept} options={names.map(name => [name, name])} onPick={setPicked} />
      </ProbeBox>
    </section>
  )
}

interface AnswerProps {
  readonly concept: string
  readonly feature: string
  readonly verdict: Verdict
  readonly draft: Signal<string>
  readonly isBrief: boolean
  /** After the draft is used up or given up. */
  readonly onDone: () => void
}

/** What a typed feature would bring, or why it cannot be added and what to do. */
function Answer({concept, feature, verdict, draft, isBrief, onDone}: AnswerProps) {
  const studio = useStudio()
  switch (verdict.is) {
    case 'idle':
      return isBrief ? null : (
        <p class="soft">
          Type <code>etoh</code>, <code>chest pain</code>, an expression such as <code>/\bciwa\b/</code>, or{' '}
          <code>title:sepsis</code>, a word of one field. Its effect is shown here as you type. A good anchor rarely
          occurs without its concept.
        </p>
      )
    case 'asking':
      return verdict.probe?.documents ? (
        <Found concept={concept} probe={verdict.probe} isBrief={isBrief} isOld />
      ) : (
        <p class="soft">Looking …</p>
      )
    case 'fine':
      return <Found concept={concept} probe={verdict.probe} isBrief={isBrief} />
    case 'unread':
      return <p class="soft">There are no documents to look it up in yet. You can add it anyway.</p>
    case 'refused': {
      const {owner, message} = verdict
      const move = (from: string, spelled: string) => {
        studio.edit({kind: 'moveMember', feature: spelled, from, to: concept})
        onDone()
      }
      return (
        <>
          <Say is="bad" role="status">
            {sentence(message)}
          </Say>
          {owner && (
            <div class="rowed">
              <Button onClick={() => move(owner.concept, owner.spelled)}>Move it to {concept}</Button>
              <Button onClick={onDone}>Leave it in {owner.concept}</Button>
            </div>
          )}
        </>
      )
    }
    case 'nowhere': {
      const {didYouMean} = verdict
      const take = () => {
        draft.value = didYouMean ?? ''
        focusSoon('.probe .field')
      }
      return (
        <>
          <Say is="bad" role="status">
            <code>{feature}</code> occurs in no document. Check its spelling and field.
          </Say>
          {didYouMean === undefined ? null : (
            <Button onClick={take}>
              Did you mean <code>{didYouMean}</code>?
            </Button>
          )}
        </>
      )
    }
  }
}

/** Overlaps that are named; the rest is counted. */
const NAMED = 4

/** Text between is one line. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ')

function Found(props: {concept: string; probe: Probe; isBrief: boolean; isOld?: boolean}) {
  const studio = useStudio()
  const {concept, probe, isBrief, isOld = false} = props
  const {feature, documents, fresh, overlaps} = probe
  const examples = isBrief ? [] : probe.examples
  const isScore = isScored(studio.state.value, concept)
  const others = overlaps.slice(0, NAMED).map(({concept: name, documents: count}) => `${name} ${grouped(count)}`)
  const rest = overlaps.length - others.length
  return (
    <div class={isOld ? 'stale' : undefined}>
      <p>
        <b role="status">{`${counted(documents, 'document')}, ${fresh === 0 ? 'none' : grouped(fresh)} new.`}</b>{' '}
        {others.length === 0
          ? 'No other anchor fires in them. '
          : `Where it occurs, other anchors fire too: ${others.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}. `}
        {examples.length === 0 ? null : (
          <span class="soft">{`New documents, with the ${isScore ? 'score' : 'probability'} of ${concept}:`}</span>
        )}
      </p>
      <ul class="examples" aria-label="New documents">
        {examples.map(({at, name, probability, before, match, after}) => (
          <li key={at}>
            <span class="n">{probability === undefined ? '' : chance(probability, isScore)}</span>
            <GoLink
              to={{page: 'documents', query: {concept, has: feature}, document: at}}
              label={`${name}: ${oneLine(before + match + after)}`}
            >
              <span class="line">
                <span class="before">
                  <bdi>{oneLine(before)}</bdi>
                </span>
                <b>{oneLine(match)}</b>
                <span class="after">{oneLine(after)}</span>
              </span>
            </GoLink>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** What the session says of a feature and a concept. */
interface Asked {
  readonly of: string
  readonly probe?: Probe
  readonly fault?: Error
}

/** What is known of a typed feature, and so what may be done with it. */
export type Verdict =
  | {readonly is: 'idle'}
  /** The answer is on its way; `probe` is that of an earlier key. */
  | {readonly is: 'asking'; readonly probe?: Probe | undefined}
  /** There are no documents to look it up in. */
  | {readonly is: 'unread'}
  /** `owner`: another concept has it, perhaps in another spelling: `ETOH` and `text:etoh`. */
  | {readonly is: 'refused'; readonly message: string; readonly owner?: {concept: string; spelled: string}}
  | {readonly is: 'nowhere'; readonly didYouMean?: string | undefined}
  | {readonly is: 'fine'; readonly probe: Probe}

/** What may be added, by someone who has read what is said of it. */
const ADDABLE: readonly Verdict['is'][] = ['fine', 'unread', 'nowhere']

/** `refused`: why the edit that adds the feature would be refused, if it would. */
export function verdictOf(
  feature: string,
  refused: AdfaError | undefined,
  hasDocuments: boolean,
  asked: Asked | undefined
): Verdict {
  if (feature === '') return {is: 'idle'}
  if (refused !== undefined) {
    const {message, details} = refused
    const {takenBy, feature: spelled} = details
    const owner = typeof takenBy === 'string' && {owner: {concept: takenBy, spelled: String(spelled)}}
    return {is: 'refused', message, ...owner}
  }
  if (!hasDocuments) return {is: 'unread'}
  const {probe, fault} = asked ?? {}
  if (asked?.of !== feature) return {is: 'asking', probe}
  if (fault !== undefined) return {is: 'refused', message: fault.message}
  if (probe === undefined) return {is: 'asking'}
  return probe.documents === 0 ? {is: 'nowhere', didYouMean: probe.didYouMean} : {is: 'fine', probe}
}
