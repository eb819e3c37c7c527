import {useEffect, useMemo} from 'preact/hooks'
import type {Estimate, LabelView, TextPart} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {Button} from '../../ui/controls.tsx'
import {DocText} from '../../ui/doc-text.tsx'
import {Empty, NeedsDocuments} from '../../ui/empty.tsx'
import {intervalText, Meter, Whisker} from '../../ui/marks.tsx'
import {sentence} from '../../ui/sentence.ts'
import {AskedArea} from './label-asked.tsx'
import {LabelFlow} from './label-flow.ts'

/** Label documents drawn at random, and short questions in between: the rates of the anchors follow from the answers. */
export function LabelPage() {
  const studio = useStudio()
  if (studio.state.value.documents === 0) return <NeedsDocuments page="Label" />
  if (studio.project.value.anchors.length > 0) return <Labelling />
  return (
    <Empty page="Label" title="Needs a concept." way={['Name a concept', 'anchors']}>
      Labels say which concepts a document has; add a concept first.
    </Empty>
  )
}

function Labelling() {
  const studio = useStudio()
  const flow = useMemo(() => new LabelFlow(studio), [studio])
  useEffect(() => flow.follow(), [flow])
  const view = flow.view.value
  const fault = flow.fault.value
  if (view === undefined && fault === undefined)
    return (
      <Empty page="Label" title="Choosing documents.">
        They are drawn at random.
      </Empty>
    )
  return (
    <>
      {view === undefined ? <h1 class="unseen">Label</h1> : <Progress view={view} />}
      {fault === undefined ? null : (
        <section class="area stack">
          <p class="say bad">{sentence(fault)}</p>
          <div class="rowed">
            <Button onClick={() => flow.ask()}>Try again</Button>
          </div>
        </section>
      )}
      {view === undefined ? null : <Question flow={flow} view={view} />}
    </>
  )
}

function Progress({view}: {view: LabelView}) {
  const {documents, least, goal, words} = view
  const range = least < goal ? `${least} to ${goal}` : `${goal}`
  return (
    <div class="progress">
      <h1>Label</h1>
      <div class="rowed nowrap">
        <b>
          {`${documents} labelled`}
          <span class="roomy">{`, goal ${range}`}</span>
        </b>
        <Meter share={documents / goal} {...(least < goal ? {tick: least / goal} : {})} />
      </div>
      <p>
        <Figures words={words} /> <span class="soft">{enoughWords(view)}</span>
      </p>
    </div>
  )
}

/** A sentence with its numbers in bold. */
function Figures({words}: {words: string}) {
  const sentence = words === '' ? '' : `${words[0].toUpperCase()}${words.slice(1).replace(/[.]?$/, '.')}`
  return (
    <>
      {sentence
        .split(/(\d+(?:[.,]\d+)*)/)
        .map((part, at) => (at % 2 === 1 ? <b key={`${at} ${part}`}>{part}</b> : part))}
    </>
  )
}

function enoughWords({enough, documents, least}: LabelView): string {
  if (enough === 'intervals') return 'Enough: the intervals are narrow. More labels narrow them further.'
  if (enough === 'documents') return 'Enough: all documents asked for are labelled.'
  return documents < least ? '' : 'Not yet enough: intervals are still wide.'
}

function Question({flow, view}: {flow: LabelFlow; view: LabelView}) {
  const {question} = view
  return (
    <div class="label columns">
      {question === undefined ? (
        <AllAsked flow={flow} />
      ) : (
        <section class="area" aria-labelledby="doc-title" key={flow.asked.value}>
          <div class="head">
            <h2 id="doc-title" tabIndex={-1}>
              {question.name}
            </h2>
            <span class="soft">
              {question.drawn === 'random' ? 'drawn at random, whole document' : 'its anchor fires, one question'}
            </span>
          </div>
          <DocText parts={unweighted(question.parts)} isLarge />
        </section>
      )}
      {question === undefined ? null : <AskedArea flow={flow} question={question} />}
      <IntervalArea intervals={view.intervals} />
    </div>
  )
}

/** Anchors are marked, weights are not: they would lead the eye. */
function unweighted(parts: readonly TextPart[]): TextPart[] {
  return parts.map(part => ({...part, spans: part.spans.map(({weight: _, ...span}) => span)}))
}

function AllAsked({flow}: {flow: LabelFlow}) {
  const studio = useStudio()
  return (
    <section class="area stack">
      <p>
        <b>All questions are answered.</b> The rates follow from the labels; the documents show where the model goes
        beyond the anchors.
      </p>
      <div class="rowed">
        <Button look="primary" onClick={() => studio.go({page: 'documents'})}>
          Open Documents
        </Button>
        <Button disabled={!flow.canUndo.value} onClick={() => flow.undo()}>
          Undo the last answer
        </Button>
      </div>
    </section>
  )
}

/** What the labels say so far of how common each concept is, least certain first. */
function IntervalArea({intervals}: {intervals: LabelView['intervals']}) {
  const sorted = intervals.toSorted((a, b) => width(b.prevalence) - width(a.prevalence))
  const max = Math.max(0.01, ...intervals.map(({prevalence: {value, high = value}}) => high))
  return (
    <section class="area intervals" aria-labelledby="int-title">
      <div class="head">
        <h2 id="int-title">Intervals so far</h2>
        <span class="soft">90%, share of documents, widest first</span>
      </div>
      {sorted.length === 0 ? <p class="soft">They appear once a labelled document has a concept.</p> : null}
      <ul class="interval-list">
        {sorted.map(({concept, prevalence}) => (
          <li key={concept}>
            <span title={concept}>{concept}</span>
            <Whisker estimate={prevalence} max={max} width={80} />
            <span class="soft n">{intervalText(prevalence)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The ratio of the ends: an interval from 1% to 3% is wider than one from 10% to 15%. */
function width({low, high}: Estimate): number {
  if (low === undefined || high === undefined) return Number.MAX_VALUE
  return low > 0 ? high / low : high > 0 ? Number.MAX_VALUE : 1
}
