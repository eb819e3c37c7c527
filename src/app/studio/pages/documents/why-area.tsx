import {useMemo, useState} from 'preact/hooks'
import {withoutControls} from '../../../../base/text/index.ts'
import type {Explanation} from '../../../../use/prediction/index.ts'
import {rowLabel, signed, Table, type Waterfall, type WaterfallRow, waterfall} from '../../../present/index.ts'
import {
  type DocumentView,
  type ExplanationView,
  namedFeature,
  readableFeature,
  type Stage,
  weighWords
} from '../../../session/index.ts'
import {type Studio, useStudio} from '../../store.ts'
import {useAnswer} from '../../ui/answer.ts'
import {isScored} from '../../ui/concept-marks.ts'
import {Button, Choices} from '../../ui/controls.tsx'
import {chance, StateMark} from '../../ui/marks.tsx'

/** Concepts that are set in this document to see what follows; never saved. */
export type KnownConcepts = Readonly<Record<string, boolean>>

interface WhyProps {
  readonly concept: string
  readonly opened: OpenedDocument
}

/** What makes the concept likely in the document: steps of log-odds that add up. */
export function WhyArea({concept, opened: {view, known, setKnown, why}}: WhyProps) {
  const set = !Object.hasOwn(known, concept) ? 'auto' : known[concept] ? 'yes' : 'no'
  const label = view?.concepts.find(({name}) => name === concept)?.label
  const pick = (value: 'yes' | 'no' | 'auto') => {
    const {[concept]: _, ...others} = known
    setKnown(value === 'auto' ? others : {...others, [concept]: value === 'yes'})
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
      <Hypothesis known={known} onClear={() => setKnown({})} />
      {label === undefined ? null : (
        <p class="say know">
          You labelled it <b>{label ? 'yes' : 'no'}</b>.
        </p>
      )}
      {why.fault === undefined ? null : <p class="say bad">{why.fault.message}</p>}
      {why.answer === undefined ? null : <Reasons explanation={why.answer.explanation} />}
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

function Reasons({explanation}: {explanation: Explanation}) {
  const {state} = useStudio()
  const {concept, probability} = explanation
  const isScore = isScored(state.value, concept)
  const {rows, place} = waterfall(explanation)
  return (
    <>
      <p class="verdict">
        <span class="figure">{isScore ? `score ${chance(probability, true)}` : chance(probability)}</span>{' '}
        <span>{verdict(explanation, state.value.threshold ?? 0.5)}</span>
      </p>
      <Table
        class="why"
        caption={`Evidence for ${concept} and against it, in log-odds, which add up`}
        isBare
        rows={rows}
        keyOf={rowLabel}
        rowLook={row => (row.isWhole ? 'total' : undefined)}
        columns={[
          {name: 'reason', cell: row => <Reason row={row} />},
          {
            name: 'log-odds',
            isFigure: true,
            cell: row => <span title={row.interval}>{signed(row.logOdds).replace('-', '\u2212')}</span>
          },
          {name: 'sum so far', look: 'fall-cell', cell: row => <Fall row={row} place={place} />}
        ]}
      />
      <p class="soft small foot">Filled: for it; dashed: against it. +0.7 doubles the odds.</p>
    </>
  )
}

/** Bars stay this far from the ends of their cell, in percent; smaller ones are drawn this wide, to be seen. */
const EDGE = 3
const LEAST_WIDTH = 1.5

function Fall({row: {from, to, logOdds, isWhole}, place}: {row: WaterfallRow; place: Waterfall['place']}) {
  const at = (value: number) => EDGE + (100 - 2 * EDGE) * place(value)
  const [x, end] = [at(Math.min(from, to)), at(Math.max(from, to))]
  return (
    <svg class="fall" width="100%" height="100%" aria-hidden="true">
      <line class="zero" x1={`${at(0).toFixed(2)}%`} x2={`${at(0).toFixed(2)}%`} y1="0" y2="100%" />
      <rect
        class={isWhole ? 'sum' : logOdds < 0 ? 'minus' : 'plus'}
        x={`${x.toFixed(2)}%`}
        y="50%"
        width={`${Math.max(LEAST_WIDTH, end - x).toFixed(2)}%`}
        height="10"
        transform="translate(0 -5)"
      />
    </svg>
  )
}

/** A word stands out; what is said of it does not. The detail of a reason takes one softer line. */
function Reason({row: {head, why, item}}: {row: WaterfallRow}) {
  if (item?.kind === 'word') {
    const word = withoutControls(item.word)
    const {group, isNegated} = namedFeature(word)
    const said = [isNegated ? '' : group, item.present ? '' : 'does not occur'].filter(Boolean).join(', ')
    return (
      <>
        <b>{readableFeature(word)}</b> {said === '' ? null : <span class="soft">{said}</span>}
      </>
    )
  }
  return (
    <>
      {head}{' '}
      {why === undefined ? null : (
        <span class="soft small detail" title={why}>
          {why}
        </span>
      )}
    </>
  )
}

function verdict({probability, contributions}: Explanation, threshold: number): string {
  const isLikely = probability >= threshold
  const anchor = contributions.find(item => item.kind === 'anchor')
  if (anchor === undefined) return isLikely ? 'likely' : 'not likely'
  if (anchor.fired) return isLikely ? 'likely, and its anchor fires' : 'not likely, though its anchor fires'
  return isLikely ? 'likely, though its anchor does not fire' : 'not likely, and its anchor does not fire'
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

/** The words of the document with the weights that the reasons give them: one number for both. */
function weighed(view: DocumentView, concept: string | undefined, why: ExplanationView | undefined): DocumentView {
  const isOwn = why?.at === view.at && why.explanation.concept === concept
  return isOwn ? {...view, parts: weighWords(view.parts, why.weights)} : view
}

/** A document that is open, and what is asked of it. */
type OpenedDocument = ReturnType<typeof useDocument>

/** A document and the reasons for the concept at hand; what is set goes with the document. `results`: what both follow from, by name. */
export function useDocument(studio: Studio, at: number | undefined, results: string) {
  const {session, view: shown} = studio
  const [set, setSet] = useState<{readonly at: number | undefined; readonly known: KnownConcepts}>({at, known: {}})
  const known = useMemo(() => (set.at === at ? set.known : {}), [set, at])
  // New results give other probabilities, and other reasons.
  const {answer: view} = useAnswer(at === undefined ? undefined : '', `${at} ${results}`, () =>
    session.document(at ?? 0)
  )
  const concept = shown.value.concept ?? view?.concepts[0]?.name
  const canExplain = at !== undefined && concept !== undefined && view !== undefined && view.concepts.length > 0
  const version = JSON.stringify([at, concept, known, results])
  const why = useAnswer(canExplain ? '' : undefined, version, () => session.explain(at ?? 0, concept ?? '', known))
  return {
    view: view && weighed(view, concept, why.answer),
    concept,
    known,
    setKnown: (known: KnownConcepts) => setSet({at, known}),
    why
  }
}
