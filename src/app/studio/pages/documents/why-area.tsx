import {useState} from 'preact/hooks'
import {withoutControls} from '../../../../base/text/index.ts'
import type {Explanation} from '../../../../use/prediction/index.ts'
import {rowLabel, signed, Table, type Waterfall, type WaterfallRow, waterfall} from '../../../present/index.ts'
import {namedFeature, readableFeature, weighWords} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {useAnswer} from '../../ui/answer.ts'
import {Area, Say} from '../../ui/area.tsx'
import {isScored} from '../../ui/concept-marks.ts'
import {Button, Choices} from '../../ui/controls.tsx'
import {chance, StateMark} from '../../ui/marks.tsx'

/** Concepts that are set in a document to see what follows; never saved. */
type KnownConcepts = Readonly<Record<string, boolean>>

const SET = [
  ['yes', 'Yes'],
  ['no', 'No'],
  ['auto', 'Auto']
] as const

const NOTHING: KnownConcepts = {}

/** A document that is open, and what is asked of it. */
export type OpenedDocument = ReturnType<typeof useDocument>

/** The open document and the reasons for the concept at hand, both asked for again with new results. What is set goes with the document. */
export function useDocument() {
  const {session, view: shown, state} = useStudio()
  const {document: at = 0, concept: chosen} = shown.value
  const isOpen = shown.value.document !== undefined
  const results = `${state.value.revision} ${state.value.scores.is}`
  const [set, setSet] = useState({at, known: NOTHING})
  const known = set.at === at ? set.known : NOTHING
  const {answer: view} = useAnswer(isOpen ? '' : undefined, `${at} ${results}`, () => session.document(at))
  const concept = chosen ?? view?.concepts[0]?.name ?? ''
  const isScored = isOpen && concept !== '' && (view?.concepts.length ?? 0) > 0
  const version = JSON.stringify([at, concept, known, results])
  const why = useAnswer(isScored ? '' : undefined, version, () => session.explain(at, concept, known))
  const {answer} = why
  // Words have the weights that the reasons give them: one number for both.
  const isWeighed = view !== undefined && answer?.at === view.at && answer.explanation.concept === concept
  return {
    view: isWeighed ? {...view, parts: weighWords(view.parts, answer.weights)} : view,
    concept,
    isScored,
    known,
    setKnown: (known: KnownConcepts) => setSet({at, known}),
    why
  }
}

/** What makes the concept likely in the document: steps of log-odds that add up. */
export function WhyArea({opened}: {opened: OpenedDocument}) {
  const {view, concept, known, setKnown, why} = opened
  const {scores} = useStudio().state.value
  if (!opened.isScored)
    return (
      <Area title="Why" also="reason">
        <Say is="know">
          Reasons appear once the documents are scored. <StateMark stage={scores} what="Scores" />
        </Say>
      </Area>
    )
  const label = view?.concepts.find(({name}) => name === concept)?.label
  const set = Object.entries(known).map(([name, isPresent]) => `${name} ${isPresent ? 'yes' : 'no'}`)
  const pick = (value: (typeof SET)[number][0]) => {
    const {[concept]: _, ...others} = known
    setKnown(value === 'auto' ? others : {...others, [concept]: value === 'yes'})
  }
  return (
    <Area
      title={`Why ${concept}`}
      also="reason"
      aside={
        <Choices
          legend={`Set ${concept} in this document`}
          value={!Object.hasOwn(known, concept) ? 'auto' : known[concept] ? 'yes' : 'no'}
          options={SET}
          onPick={pick}
        />
      }
    >
      {set.length === 0 ? null : (
        <div class="say know rowed hypothesis">
          <span>
            <b>If {set.join(', ')}:</b> all others are updated at once. This is not a label and is not saved.
          </span>
          <Button isLittle onClick={() => setKnown(NOTHING)}>
            Set all to auto
          </Button>
        </div>
      )}
      <Say is="know">{label === undefined ? '' : `You labelled it ${label ? 'yes' : 'no'}.`}</Say>
      <Say is="bad">{why.fault?.message}</Say>
      {why.answer === undefined ? null : <Reasons explanation={why.answer.explanation} />}
    </Area>
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

function verdict({probability, contributions}: Explanation, threshold: number): string {
  const isLikely = probability >= threshold
  const anchor = contributions.find(item => item.kind === 'anchor')
  const likely = isLikely ? 'likely' : 'not likely'
  if (anchor === undefined) return likely
  return `${likely}, ${isLikely === anchor.fired ? 'and' : 'though'} its anchor ${anchor.fired ? 'fires' : 'does not fire'}`
}

/** Bars stay this far from the ends of their cell, in percent; smaller ones are drawn this wide, to be seen. */
const [EDGE, LEAST_WIDTH] = [3, 1.5]

function Fall({row: {from, to, logOdds, isWhole}, place}: {row: WaterfallRow; place: Waterfall['place']}) {
  const at = (value: number) => EDGE + (100 - 2 * EDGE) * place(value)
  const percent = (value: number) => `${value.toFixed(2)}%`
  const [x, end] = [at(Math.min(from, to)), at(Math.max(from, to))]
  return (
    <svg class="fall" width="100%" height="100%" aria-hidden="true">
      <line class="zero" x1={percent(at(0))} x2={percent(at(0))} y1="0" y2="100%" />
      <rect
        class={isWhole ? 'sum' : logOdds < 0 ? 'minus' : 'plus'}
        x={percent(x)}
        y="50%"
        width={percent(Math.max(LEAST_WIDTH, end - x))}
        height="10"
        transform="translate(0 -5)"
      />
    </svg>
  )
}

/** A word stands out; what is said of it does not. The detail of a reason takes one softer line. */
function Reason({row: {head, why, item}}: {row: WaterfallRow}) {
  if (item?.kind !== 'word')
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
  const word = withoutControls(item.word)
  const {group, isNegated} = namedFeature(word)
  return (
    <>
      <b>{readableFeature(word)}</b>{' '}
      <span class="soft">{[!isNegated && group, !item.present && 'does not occur'].filter(Boolean).join(', ')}</span>
    </>
  )
}
