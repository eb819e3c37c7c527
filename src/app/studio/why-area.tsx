import type {DocumentView, ExplanationView, Stage} from '../desk/index.ts'
import {Button, Choices, chance, StateMark} from './parts.tsx'
import {fallScale, readReason, signedText} from './waterfall.ts'

/** Concepts that are set in this document to see what follows; never saved. */
export type KnownConcepts = Readonly<Record<string, boolean>>

/** Bars are placed in percent of their cell. */
const WHOLE = 100

interface WhyProps {
  readonly concept: string
  readonly explanation: ExplanationView | undefined
  readonly fault: string | undefined
  readonly label: boolean | undefined
  readonly known: KnownConcepts
  readonly threshold: number
  /** Nobody measured the rates of the concept: its probability only ranks documents. */
  readonly isScore: boolean
  readonly onSet: (known: KnownConcepts) => void
}

/** What makes the concept likely in the document: steps of log-odds that add up. */
export function WhyArea({concept, explanation, fault, label, known, onSet, ...shown}: WhyProps) {
  const set = !Object.hasOwn(known, concept) ? 'auto' : known[concept] ? 'yes' : 'no'
  const pick = (value: 'yes' | 'no' | 'auto') => {
    const {[concept]: _, ...others} = known
    onSet(value === 'auto' ? others : {...others, [concept]: value === 'yes'})
  }
  return (
    <section class="area reason" aria-labelledby="why-title">
      <div class="head">
        <h2 id="why-title">{`Why ${concept}`}</h2>
        <Choices
          legend={`Set ${concept} in this document`}
          value={set}
          options={[
            ['yes', 'Yes'],
            ['no', 'No'],
            ['auto', 'Auto']
          ]}
          onPick={pick}
        />
      </div>
      <Hypothesis known={known} onClear={() => onSet({})} />
      {label === undefined ? null : (
        <p class="say know">
          You labelled it <b>{label ? 'yes' : 'no'}</b>.
        </p>
      )}
      {fault === undefined ? null : <p class="say bad">{fault}</p>}
      {explanation === undefined ? null : <Waterfall explanation={explanation} {...shown} />}
    </section>
  )
}

function Hypothesis({known, onClear}: {known: KnownConcepts; onClear: () => void}) {
  const set = Object.entries(known).map(([name, isPresent]) => `${name} ${isPresent ? 'yes' : 'no'}`)
  if (set.length === 0) return null
  return (
    <div class="say know rowed hypothesis">
      <span>
        <b>If {set.join(', ')}:</b> all others are updated at once. This is not a label and is not saved.
      </span>
      <Button isLittle onClick={onClear}>
        Set all to auto
      </Button>
    </div>
  )
}

type WaterfallProps = Pick<WhyProps, 'threshold' | 'isScore'> & {readonly explanation: ExplanationView}

function Waterfall({explanation, threshold, isScore}: WaterfallProps) {
  const {concept, rows, logOdds, probability} = explanation
  const scale = fallScale(rows, logOdds, WHOLE)
  return (
    <>
      <p class="verdict">
        <span class="figure">{isScore ? `score ${chance(probability, true)}` : chance(probability)}</span>{' '}
        <span>{verdict(explanation, threshold)}</span>
      </p>
      <table class="why">
        <caption class="unseen">{`Evidence for ${concept} and against it, in log-odds, which add up`}</caption>
        <thead class="unseen">
          <tr>
            <th scope="col">reason</th>
            <th scope="col">log-odds</th>
            <th scope="col">sum so far</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row.label}>
              <th scope="row">
                <Reason label={row.label} />
              </th>
              <td class="n" title={row.interval}>
                {signedText(row.logOdds)}
              </td>
              <Fall zero={scale.zero} {...scale.bar(row.from, row.to)} look={row.logOdds < 0 ? 'minus' : 'plus'} />
            </tr>
          ))}
          <tr class="total">
            <th scope="row">together</th>
            <td class="n">{signedText(logOdds)}</td>
            <Fall zero={scale.zero} {...scale.bar(0, logOdds)} look="sum" />
          </tr>
        </tbody>
      </table>
      <p class="soft small foot">Filled: for it; dashed: against it. +0.7 doubles the odds.</p>
    </>
  )
}

function Fall({zero, x, width, look}: {zero: number; x: number; width: number; look: 'plus' | 'minus' | 'sum'}) {
  return (
    <td class="fall-cell">
      <svg class="fall" width="100%" height="100%" aria-hidden="true">
        <line class="zero" x1={`${zero.toFixed(2)}%`} x2={`${zero.toFixed(2)}%`} y1="0" y2="100%" />
        <rect
          class={look}
          x={`${x.toFixed(2)}%`}
          y="50%"
          width={`${width.toFixed(2)}%`}
          height="10"
          transform="translate(0 -5)"
        />
      </svg>
    </td>
  )
}

/** A word stands out; what is said of it does not: `"sober" occurs`. The detail of a reason takes one softer line. */
function Reason({label}: {label: string}) {
  const {head, word, detail} = readReason(label)
  return (
    <>
      {word === undefined ? head : <b>{word}</b>}{' '}
      {detail === '' ? null : (
        <span class={word === undefined ? 'soft small detail' : 'soft'} title={detail}>
          {detail}
        </span>
      )}
    </>
  )
}

function verdict({probability, rows}: ExplanationView, threshold: number): string {
  const isLikely = probability >= threshold
  const fires = rows.some(({label}) => label === 'its anchor fires')
  const isSilent = rows.some(({label}) => label === 'its anchor does not fire')
  if (fires) return isLikely ? 'likely, and its anchor fires' : 'not likely, though its anchor fires'
  if (isSilent) return isLikely ? 'likely, though its anchor does not fire' : 'not likely, and its anchor does not fire'
  return isLikely ? 'likely' : 'not likely'
}

/** Without scores there is nothing to explain. */
export function NoReasons({scores}: {scores: Stage}) {
  return (
    <section class="area reason" aria-labelledby="why-title">
      <div class="head">
        <h2 id="why-title">Why</h2>
      </div>
      <p class="say know">
        Reasons appear once the documents are scored. <StateMark stage={scores} what="Scores" />
      </p>
    </section>
  )
}

/** The label that a person gave, if any. */
export function labelOf(view: DocumentView, concept: string): boolean | undefined {
  return view.concepts.find(({name}) => name === concept)?.label
}
