import {useEffect, useMemo} from 'preact/hooks'
import type {LabelView, TextPart} from '../desk/index.ts'
import {AskedArea} from './label-asked.tsx'
import {LabelFlow} from './label-flow.ts'
import {IntervalArea} from './label-intervals.tsx'
import {Button, DocText, Empty, Meter} from './parts.tsx'
import {sentence} from './sentence.ts'
import type {Studio} from './store.ts'

/** Label documents drawn at random, and short questions in between: the rates of the anchors follow from the answers. */
export function LabelPage({studio}: {studio: Studio}) {
  if (studio.state.value.documents === 0) return <NeedsDocuments studio={studio} title="Label" />
  if (studio.project.value.anchors.length === 0) return <NeedsConcepts studio={studio} />
  return <Labelling studio={studio} />
}

function Labelling({studio}: {studio: Studio}) {
  const flow = useMemo(() => new LabelFlow(studio), [studio])
  useEffect(() => flow.follow(), [flow])
  const view = flow.view.value
  const fault = flow.fault.value
  if (view === undefined && fault === undefined)
    return (
      <>
        <h1 class="unseen">Label</h1>
        <Empty title="Choosing documents.">They are drawn at random.</Empty>
      </>
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
      {view === undefined ? null : <Question studio={studio} flow={flow} view={view} />}
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

function Question({studio, flow, view}: {studio: Studio; flow: LabelFlow; view: LabelView}) {
  const {question} = view
  return (
    <div class="label columns">
      {question === undefined ? (
        <AllAsked studio={studio} flow={flow} />
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

function AllAsked({studio, flow}: {studio: Studio; flow: LabelFlow}) {
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

/** Labels and lists need texts, which counts and models do not hold. */
export function NeedsDocuments({studio, title}: {studio: Studio; title: string}) {
  const add = (
    <Button look="primary" onClick={() => studio.go({page: 'start'})}>
      Add documents
    </Button>
  )
  return (
    <>
      <h1 class="unseen">{title}</h1>
      <Empty title="Needs documents." actions={add}>
        There is no text to label yet; counts and models contain none.
      </Empty>
    </>
  )
}

function NeedsConcepts({studio}: {studio: Studio}) {
  const name = (
    <Button look="primary" onClick={() => studio.go({page: 'anchors'})}>
      Name a concept
    </Button>
  )
  return (
    <>
      <h1 class="unseen">Label</h1>
      <Empty title="Needs a concept." actions={name}>
        Labels say which concepts a document has; add a concept first.
      </Empty>
    </>
  )
}
