import type {Signal} from '@preact/signals'
import {counted, grouped} from '../../base/text/index.ts'
import type {Probe, ProbeExample} from '../desk/index.ts'
import {isScored} from './concept-marks.ts'
import {focusSoon} from './focus.ts'
import {GoLink} from './go-link.tsx'
import {Button, chance} from './parts.tsx'
import {spelledBy, type Verdict} from './probe-verdict.ts'
import type {Studio} from './store.ts'

interface AnswerProps {
  readonly studio: Studio
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
  const {studio, concept, feature, verdict, isBrief = false} = props
  switch (verdict.is) {
    case 'idle':
      return isBrief ? null : <Forms />
    case 'asking':
      return verdict.probe === undefined || verdict.probe.documents === 0 ? (
        <p class="soft">Looking …</p>
      ) : (
        <Found studio={studio} concept={concept} probe={verdict.probe} isBrief={isBrief} isOld />
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
      return <Found studio={studio} concept={concept} probe={verdict.probe} isBrief={isBrief} />
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

function Taken({studio, concept, feature, by, onDone}: AnswerProps & {by: string}) {
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
  readonly studio: Studio
  readonly concept: string
  readonly probe: Probe
  readonly isBrief: boolean
  readonly isOld?: boolean
}

function Found({studio, concept, probe, isBrief, isOld = false}: FoundProps) {
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
            <Example key={example.at} studio={studio} concept={concept} probe={probe} example={example} />
          ))}
        </ul>
      )}
    </>
  )
}

/** Text between is one line. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ')

function Example(props: {studio: Studio; concept: string; probe: Probe; example: ProbeExample}) {
  const {at, name, probability, before, match, after} = props.example
  return (
    <li>
      <span class="n">
        {probability === undefined ? '' : chance(probability, isScored(props.studio.state.value, props.concept))}
      </span>
      <GoLink
        studio={props.studio}
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
