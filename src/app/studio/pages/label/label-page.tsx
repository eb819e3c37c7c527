import {useState} from 'preact/hooks'
import {goalText, knownPrevalences, knownText, labelledText} from '../../../present/index.ts'
import type {LabelView, TextPart} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {useAnswer, versionOf} from '../../ui/answer.ts'
import {Area, Empty, NeedsDocuments, Say} from '../../ui/area.tsx'
import {Button} from '../../ui/controls.tsx'
import {DocText} from '../../ui/doc-text.tsx'
import {Meter, rangeText, Whisker} from '../../ui/marks.tsx'
import {sentence} from '../../ui/sentence.ts'
import {questionName} from './answers.ts'
import {AskedArea, canUndoAnswer} from './label-asked.tsx'

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
  const [tries, setTries] = useState(0)
  const version = `${studio.revision.value} ${versionOf(studio.state.value)} ${tries}`
  const {answer: view, fault} = useAnswer('label', version, () => studio.session.question())
  if (fault !== undefined)
    return (
      <Area also="stack">
        <h1 class="unseen">Label</h1>
        <Say is="bad">{sentence(fault.message)}</Say>
        <div class="rowed">
          <Button onClick={() => setTries(tries + 1)}>Try again</Button>
        </div>
      </Area>
    )
  if (view === undefined)
    return (
      <Empty page="Label" title="Choosing documents.">
        They are drawn at random.
      </Empty>
    )
  return (
    <>
      <Progress view={view} />
      <Question view={view} />
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

function Question({view}: {view: LabelView}) {
  const {question} = view
  const name = question && questionName(question)
  return (
    <div class="label columns">
      {question === undefined || name === undefined ? (
        <AllAsked />
      ) : (
        <>
          <Area
            key={name}
            title={question.name}
            id="doc-title"
            aside={
              <span class="soft">
                {question.drawn === 'random' ? 'drawn at random, whole document' : 'its anchor fires, one question'}
              </span>
            }
          >
            <DocText parts={unweighted(question.parts)} isLarge />
          </Area>
          <AskedArea question={question} name={name} />
        </>
      )}
      <IntervalArea view={view} />
    </div>
  )
}

/** Anchors are marked, weights are not: they would lead the eye. */
function unweighted(parts: readonly TextPart[]): TextPart[] {
  return parts.map(part => ({...part, spans: part.spans.map(({weight: _, ...span}) => span)}))
}

function AllAsked() {
  const studio = useStudio()
  return (
    <Area also="stack">
      <p>
        <b>All questions are answered.</b> The rates follow from the labels; the documents show where the model goes
        beyond the anchors.
      </p>
      <div class="rowed">
        <Button look="primary" onClick={() => studio.go({page: 'documents'})}>
          Open Documents
        </Button>
        <Button disabled={!canUndoAnswer(studio)} onClick={studio.undo}>
          Undo the last answer
        </Button>
      </div>
    </Area>
  )
}

/** What the labels say so far of how common each concept is. */
function IntervalArea({view: {concepts, progress}}: {view: LabelView}) {
  const known = knownPrevalences(concepts, progress)
  const max = Math.max(0.01, ...known.map(({prevalence: {high}}) => high))
  return (
    <Area
      also="intervals"
      title="Intervals so far"
      aside={<span class="soft">90%, share of documents, widest first</span>}
    >
      {known.length === 0 ? <p class="soft">They appear once a labelled document has a concept.</p> : null}
      <ul class="interval-list">
        {known.map(({concept, prevalence}) => (
          <li key={concept}>
            <span title={concept}>{concept}</span>
            <Whisker estimate={prevalence} max={max} width={80} />
            <span class="soft n">{rangeText(prevalence)}</span>
          </li>
        ))}
      </ul>
    </Area>
  )
}
