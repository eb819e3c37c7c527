import type {Signal} from '@preact/signals'
import {counted, grouped} from '../../../../base/text/index.ts'
import type {Anchors} from '../../../../read/data/index.ts'
import type {Probe, ProbeExample} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import type {Answered} from '../../ui/answer.ts'
import {isScored} from '../../ui/concept-marks.ts'
import {Button} from '../../ui/controls.tsx'
import {focusSoon} from '../../ui/focus.ts'
import {GoLink} from '../../ui/go-link.tsx'
import {chance} from '../../ui/marks.tsx'

interface AnswerProps {
  readonly concept: string
  readonly feature: string
  readonly verdict: Verdict
  readonly draft: Signal<string>
  /** What is said in a word or two: no help and no examples. */
  readonly isBrief?: boolean
  /** After the draft is used up or given up. */
  readonly onDone: () => void
}

/** What a typed feature would bring, or why it cannot be added and what to do. */
export function ProbeAnswer(props: AnswerProps) {
  const {concept, feature, verdict, isBrief = false} = props
  switch (verdict.is) {
    case 'idle':
      return isBrief ? null : <Forms />
    case 'asking':
      return verdict.probe === undefined || verdict.probe.documents === 0 ? (
        <p class="soft">Looking …</p>
      ) : (
        <Found concept={concept} probe={verdict.probe} isBrief={isBrief} isOld />
      )
    case 'unread':
      return <p class="soft">There are no documents to look it up in yet. You can add it anyway.</p>
    case 'member':
      return (
        <Said>
          <code>{feature}</code> is one of its words already.
        </Said>
      )
    case 'veto':
      return (
        <Said isBad>
          <code>{feature}</code> rules out {concept}: remove it from "Ruled out by" first.
        </Said>
      )
    case 'taken':
      return <Taken {...props} by={verdict.by} />
    case 'bad':
      return <Said isBad>{verdict.message}</Said>
    case 'nowhere':
      return <Nowhere {...props} didYouMean={verdict.didYouMean} />
    case 'fine':
      return <Found concept={concept} probe={verdict.probe} isBrief={isBrief} />
  }
}

function Said({isBad = false, children}: {isBad?: boolean; children: preact.ComponentChildren}) {
  return (
    <p class={isBad ? 'say bad' : 'say'} role="status">
      {children}
    </p>
  )
}

/** In the place of examples, what may be typed. */
function Forms() {
  return (
    <>
      <p class="soft">Its effect is shown here as you type. A good anchor rarely occurs without its concept.</p>
      <dl class="forms">
        <dt>
          <code>etoh</code>
        </dt>
        <dd>a word, in any text field</dd>
        <dt>
          <code>chest pain</code>
        </dt>
        <dd>a phrase</dd>
        <dt>
          <code>/\bciwa\b/</code>
        </dt>
        <dd>a regular expression</dd>
        <dt>
          <code>title:sepsis</code>
        </dt>
        <dd>a word of one field</dd>
      </dl>
    </>
  )
}

function Taken({concept, feature, by, onDone}: AnswerProps & {by: string}) {
  const studio = useStudio()
  return (
    <>
      <Said isBad>
        <code>{feature}</code> belongs to {by}. A word can belong to one concept only.
      </Said>
      <div class="rowed">
        <Button
          onClick={() => {
            const spelled = spelledBy(by, feature, studio.project.value.anchors)
            studio.edit({kind: 'moveMember', feature: spelled, from: by, to: concept})
            onDone()
          }}
        >
          Move it to {concept}
        </Button>
        <Button onClick={onDone}>Leave it in {by}</Button>
      </div>
    </>
  )
}

function Nowhere({feature, draft, didYouMean}: AnswerProps & {didYouMean: string | undefined}) {
  return (
    <>
      <Said isBad>
        <code>{feature}</code> occurs in no document. Check its spelling and field.
      </Said>
      {didYouMean === undefined ? null : (
        <div class="rowed">
          <Button
            onClick={() => {
              draft.value = didYouMean
              focusSoon('.probe .field', '.anchor-box .field')
            }}
          >
            Did you mean <code>{didYouMean}</code>?
          </Button>
        </div>
      )}
    </>
  )
}

/** Overlaps that are named; the rest is counted. */
const NAMED = 4

interface FoundProps {
  readonly concept: string
  readonly probe: Probe
  readonly isBrief: boolean
  readonly isOld?: boolean
}

function Found({concept, probe, isBrief, isOld = false}: FoundProps) {
  const studio = useStudio()
  const {documents, fresh, overlaps} = probe
  const examples = isBrief ? [] : probe.examples
  const others = overlaps.slice(0, NAMED).map(({concept: name, documents: count}) => `${name} ${grouped(count)}`)
  const rest = overlaps.length - others.length
  return (
    <>
      <p class={isOld ? 'stale' : undefined}>
        <b role="status">{`${counted(documents, 'document')}, ${fresh === 0 ? 'none' : grouped(fresh)} new.`}</b>{' '}
        {others.length === 0
          ? 'No other anchor fires in them. '
          : `Where it occurs, other anchors fire too: ${others.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}. `}
        {examples.length === 0 ? null : (
          <span class="soft">{`New documents, with the ${isScored(studio.state.value, concept) ? 'score' : 'probability'} of ${concept}:`}</span>
        )}
      </p>
      {examples.length === 0 ? null : (
        <ul class={isOld ? 'examples stale' : 'examples'} aria-label="New documents">
          {examples.map(example => (
            <Example key={example.at} concept={concept} probe={probe} example={example} />
          ))}
        </ul>
      )}
    </>
  )
}

/** Text between is one line. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ')

function Example(props: {concept: string; probe: Probe; example: ProbeExample}) {
  const studio = useStudio()
  const {at, name, probability, before, match, after} = props.example
  return (
    <li>
      <span class="n">
        {probability === undefined ? '' : chance(probability, isScored(studio.state.value, props.concept))}
      </span>
      <GoLink
        to={{page: 'documents', query: {concept: props.concept, has: props.probe.feature}, document: at}}
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
  )
}

/** What was asked of the session while someone types. */
interface ProbeQuestion {
  readonly concept: string
  readonly feature: string
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

export function verdictOf(
  {concept, feature}: ProbeQuestion,
  anchors: Anchors,
  hasDocuments: boolean,
  asked: Answered<ProbeQuestion, Probe> | undefined
): Verdict {
  if (feature === '') return {is: 'idle'}
  const own = anchors.find(anchor => anchor.concept === concept)
  if (own?.any.includes(feature)) return {is: 'member'}
  if (own?.not.includes(feature)) return {is: 'veto'}
  const other = anchors.find(({any}) => any.includes(feature))
  if (other !== undefined) return {is: 'taken', by: other.concept}
  if (!hasDocuments) return {is: 'unread'}
  if (asked?.of.feature !== feature || asked.of.concept !== concept) return {is: 'asking', probe: asked?.answer}
  const {answer, fault} = asked
  if (fault !== undefined) return {is: 'bad', message: fault.message}
  if (answer === undefined) return {is: 'asking'}
  if (answer.takenBy !== undefined) return {is: 'taken', by: answer.takenBy}
  return answer.documents === 0 ? {is: 'nowhere', didYouMean: answer.didYouMean} : {is: 'fine', probe: answer}
}

/** Whether it can be added; a feature that occurs nowhere only by someone who has read that. */
export function canAdd({is}: Verdict, hasSeen: boolean): boolean {
  return is === 'fine' || is === 'unread' || (is === 'nowhere' && hasSeen)
}

/** Whether something else must be done first. */
export function isRefused({is}: Verdict): boolean {
  return is === 'member' || is === 'veto' || is === 'taken' || is === 'bad'
}

/** The member as the other concept spells it: `ETOH` and `text:etoh` may be one feature. */
export function spelledBy(concept: string, feature: string, anchors: Anchors): string {
  const bare = (name: string) => name.slice(name.startsWith('/') ? 0 : name.indexOf(':') + 1).toLowerCase()
  const {any = []} = anchors.find(anchor => anchor.concept === concept) ?? {}
  return any.find(name => name === feature) ?? any.find(name => bare(name) === bare(feature)) ?? feature
}
