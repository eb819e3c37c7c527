import {useEffect, useMemo} from 'preact/hooks'
import {goalText, knownPrevalences, knownText, labelledText} from '../../../present/index.ts'
import type {LabelView, TextPart} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {Empty, NeedsDocuments} from '../../ui/area.tsx'
import {Button} from '../../ui/controls.tsx'
import {DocText} from '../../ui/doc-text.tsx'
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

function Progress({view: {progress, narrow}}: {view: LabelView}) {
  const {documents, least, goal} = progress
  return (
    <div class="progress">
      <h1>Label</h1>
      <div class="rowed">
        <b>{labelledText(progress)}</b>
        <Meter share={documents / goal} {...(least < goal ? {tick: least / goal} : {})} />
      </div>
      <p>
        {sentence(knownText(progress))} <span class="soft">{sentence(goalText(progress, narrow))}</span>
      </p>
    </div>
  )
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
      <IntervalArea view={view} />
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

/** What the labels say so far of how common each concept is. */
function IntervalArea({view: {concepts, progress}}: {view: LabelView}) {
  const known = knownPrevalences(concepts, progress)
  const max = Math.max(0.01, ...known.map(({prevalence: {high}}) => high))
  return (
    <section class="area intervals" aria-labelledby="int-title">
      <div class="head">
        <h2 id="int-title">Intervals so far</h2>
        <span class="soft">90%, share of documents, widest first</span>
      </div>
      {known.length === 0 ? <p class="soft">They appear once a labelled document has a concept.</p> : null}
      <ul class="interval-list">
        {known.map(({concept, prevalence}) => (
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
