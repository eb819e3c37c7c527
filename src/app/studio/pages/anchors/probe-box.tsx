import {type Signal, useSignal} from '@preact/signals'
import type {ComponentChildren} from 'preact'
import {useId, useLayoutEffect, useRef, useState} from 'preact/hooks'
import {counted, grouped, listed} from '../../../../base/text/index.ts'
import type {Anchors} from '../../../../read/data/index.ts'
import type {Probe} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {useAnswer, versionOf} from '../../ui/answer.ts'
import {Say} from '../../ui/area.tsx'
import {isScored} from '../../ui/concept-marks.ts'
import {Button, Select} from '../../ui/controls.tsx'
import {GoLink} from '../../ui/go-link.tsx'
import {focusSoon} from '../../ui/keys.ts'
import {chance} from '../../ui/marks.tsx'

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
  const {anchors} = studio.project.value
  const [waiting, setWaiting] = useState<readonly string[]>([])
  const input = useRef<HTMLInputElement>(null)
  const feature = draft.value.trim()
  const ask = (of: string) =>
    studio.session.probe(concept, of).then(
      (probe): Asked => ({of, concept, probe}),
      (fault: Error): Asked => ({of, concept, fault})
    )
  const canAsk = feature !== '' && state.documents > 0
  const version = JSON.stringify([versionOf(state), feature])
  const {answer} = useAnswer(canAsk ? concept : undefined, version, () => ask(feature))
  const verdict = verdictOf({concept, feature}, anchors, state.documents > 0, answer)
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
  const add = () => {
    const before = studio.project.value
    studio.edit({kind: 'addMember', concept, feature})
    // What was refused after all stays in the box.
    if (studio.project.value !== before) clear()
  }
  /** Typing fast skips no check: the word leaves the box at once, and comes back where something must be read first. */
  const addUnseen = async () => {
    draft.value = ''
    setWaiting(all => [...all, feature])
    const asked = await ask(feature)
    setWaiting(all => all.filter(each => each !== feature))
    const {is} = verdictOf({concept, feature}, studio.project.value.anchors, true, asked)
    if (is === 'fine') studio.edit({kind: 'addMember', concept, feature})
    else if (draft.value === '') draft.value = feature
    else studio.say(`Not added: ${feature}`)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    if (verdict.is === 'asking') void addUnseen()
    else if (ADDABLE.includes(verdict.is)) add()
  }
  return (
    <form class="probe" onSubmit={submit}>
      <label class="unseen" for={id}>
        {`A word, a phrase or an /expression/, for ${concept}`}
      </label>
      <input
        class="field"
        id={id}
        ref={input}
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
        onKeyDown={({key}) => {
          if (key === 'Escape') clear()
        }}
      />
      {children}
      <div class="rowed">
        <Button type="submit" look="primary" title={`Add to ${concept}`} disabled={REFUSED.includes(verdict.is)}>
          <span class="clip">{verdict.is === 'nowhere' ? 'Add anyway' : `Add to ${concept}`}</span> <kbd>Enter</kbd>
        </Button>
        {onClose === undefined ? null : (
          <Button look="quiet" onClick={clear}>
            Close
          </Button>
        )}
      </div>
      <div class={isBrief ? 'found' : 'answer'} id={`${id}-answer`} aria-busy={verdict.is === 'asking'}>
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
  const word = <code>{feature}</code>
  switch (verdict.is) {
    case 'idle':
      return isBrief ? null : <Forms />
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
    case 'member':
      return <Say role="status">{word} is one of its words already.</Say>
    case 'veto':
      return (
        <Say is="bad" role="status">
          {word} rules out {concept}: remove it from its words first.
        </Say>
      )
    case 'bad':
      return (
        <Say is="bad" role="status">
          {verdict.message}
        </Say>
      )
    case 'taken': {
      const {by} = verdict
      const move = () => {
        const spelled = spelledBy(by, feature, studio.project.value.anchors)
        studio.edit({kind: 'moveMember', feature: spelled, from: by, to: concept})
        onDone()
      }
      return (
        <>
          <Say is="bad" role="status">
            {word} belongs to {by}. A word can belong to one concept only.
          </Say>
          <div class="rowed">
            <Button onClick={move}>Move it to {concept}</Button>
            <Button onClick={onDone}>Leave it in {by}</Button>
          </div>
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
            {word} occurs in no document. Check its spelling and field.
          </Say>
          {didYouMean === undefined ? null : (
            <div class="rowed">
              <Button onClick={take}>
                Did you mean <code>{didYouMean}</code>?
              </Button>
            </div>
          )}
        </>
      )
    }
  }
}

const FORMS = [
  ['etoh', 'a word, in any text field'],
  ['chest pain', 'a phrase'],
  ['/\\bciwa\\b/', 'a regular expression'],
  ['title:sepsis', 'a word of one field']
] as const

/** In the place of examples, what may be typed. */
function Forms() {
  return (
    <>
      <p class="soft">Its effect is shown here as you type. A good anchor rarely occurs without its concept.</p>
      <dl class="forms">
        {FORMS.map(([form, meaning]) => [
          <dt key={form}>
            <code>{form}</code>
          </dt>,
          <dd key={meaning}>{meaning}</dd>
        ])}
      </dl>
    </>
  )
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
  readonly concept: string
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
  | {readonly is: 'member' | 'veto'}
  | {readonly is: 'taken'; readonly by: string}
  | {readonly is: 'bad'; readonly message: string}
  | {readonly is: 'nowhere'; readonly didYouMean?: string | undefined}
  | {readonly is: 'fine'; readonly probe: Probe}

/** What may be added, by someone who has read what is said of it; and where something else must be done first. */
export const ADDABLE: readonly Verdict['is'][] = ['fine', 'unread', 'nowhere']
export const REFUSED: readonly Verdict['is'][] = ['member', 'veto', 'taken', 'bad']

export function verdictOf(
  {concept, feature}: {readonly concept: string; readonly feature: string},
  anchors: Anchors,
  hasDocuments: boolean,
  asked: Asked | undefined
): Verdict {
  if (feature === '') return {is: 'idle'}
  const own = anchors.find(anchor => anchor.concept === concept)
  if (own?.any.includes(feature)) return {is: 'member'}
  if (own?.not.includes(feature)) return {is: 'veto'}
  const other = anchors.find(({any}) => any.includes(feature))
  if (other !== undefined) return {is: 'taken', by: other.concept}
  if (!hasDocuments) return {is: 'unread'}
  const {probe, fault} = asked ?? {}
  if (asked?.of !== feature || asked.concept !== concept) return {is: 'asking', probe}
  if (fault !== undefined) return {is: 'bad', message: fault.message}
  if (probe === undefined) return {is: 'asking'}
  if (probe.takenBy !== undefined) return {is: 'taken', by: probe.takenBy}
  return probe.documents === 0 ? {is: 'nowhere', didYouMean: probe.didYouMean} : {is: 'fine', probe}
}

/** The member as the other concept spells it: `ETOH` and `text:etoh` may be one feature. */
export function spelledBy(concept: string, feature: string, anchors: Anchors): string {
  const bare = (name: string) => name.slice(name.startsWith('/') ? 0 : name.indexOf(':') + 1).toLowerCase()
  const {any = []} = anchors.find(anchor => anchor.concept === concept) ?? {}
  return any.find(name => name === feature) ?? any.find(name => bare(name) === bare(feature)) ?? feature
}
