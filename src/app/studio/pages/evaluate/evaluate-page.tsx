import type {JudgedOn} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {Browse, Button, Select, useDrop} from '../../ui/controls.tsx'
import {Empty, NeedsDocuments} from '../../ui/empty.tsx'
import {GoLink} from '../../ui/go-link.tsx'
import {OldFigures, StateMark, WorkingArea} from '../../ui/marks.tsx'
import {sentence} from '../../ui/sentence.ts'
import {ConceptsArea, FiguresArea, ReliabilityArea} from './figures-areas.tsx'
import {MistakesArea} from './mistakes-area.tsx'
import {type Evaluating, useEvaluation} from './use-evaluation.ts'

/** How good the model is, beside simpler methods, and the documents behind each number. */
export function EvaluatePage() {
  const studio = useStudio()
  const {documents, numbers, scores} = studio.state.value
  const evaluating = useEvaluation(studio)
  useDrop(files => documents > 0 && evaluating.ask({on: 'file'}, files))
  const {view} = evaluating
  if (documents === 0) return <NeedsDocuments page="Evaluate" />
  if (view === undefined && scores.is !== 'ready')
    return (
      <Empty page="Evaluate" title={numbers.is === 'none' ? 'Needs a model.' : 'The model is not ready.'}>
        {numbers.is === 'none' ? (
          <>
            Name concepts and give them anchors on <GoLink to={{page: 'anchors'}}>Anchors</GoLink>.
          </>
        ) : (
          <StateMark stage={numbers.is === 'failed' ? numbers : scores} />
        )}
      </Empty>
    )
  const {concept, mistakes} = studio.view.value
  if (mistakes && view && concept !== undefined)
    return <MistakesArea view={view} concept={concept} isOld={evaluating.isOld} />
  return <Figures evaluating={evaluating} />
}

function Figures({evaluating}: {evaluating: Evaluating}) {
  const {view, isOld, since} = evaluating
  return (
    <>
      <Head evaluating={evaluating} />
      {view === undefined ? null : (
        <div class={isOld ? 'evaluate columns stale' : 'evaluate columns'}>
          {view.on === 'none' ? <NoEvaluation /> : null}
          {view.tables.length > 0 ? <FiguresArea view={view} isBusy={since !== undefined} /> : null}
          {view.concepts.length > 0 ? <ConceptsArea view={view} /> : null}
          {view.reliability.length > 0 ? <ReliabilityArea view={view} isOld={isOld} /> : null}
        </div>
      )}
    </>
  )
}

function Head({evaluating}: {evaluating: Evaluating}) {
  const {view, isOld, since, fault, ask} = evaluating
  const isBusy = since !== undefined
  return (
    <>
      <div class="page-head">
        <h1>Evaluate</h1>
        <p class="lead">
          {isOld ? <OldFigures /> : null} {view?.lead}
        </p>
        <div class="do">
          {view !== undefined && view.choices.length > 1 ? (
            <Select<JudgedOn>
              label="Evaluated on"
              isBare
              value={view.on}
              options={view.choices}
              onPick={on => ask({on})}
            />
          ) : null}
          <Browse onFiles={files => ask({on: 'file'}, files)}>Evaluate on other documents</Browse>
          {view?.training === 'possible' ? (
            <Button look="primary" disabled={isBusy || isOld} onClick={() => ask({on: view.on, isTrained: true})}>
              Train classifiers to compare
            </Button>
          ) : null}
        </div>
      </div>
      {isBusy ? <WorkingArea label="At work" words="judging documents" since={since} /> : null}
      {fault === undefined || isBusy ? null : (
        <section class="area stack">
          <p class="say bad" role="alert">
            {sentence(fault)}
          </p>
          <div class="rowed">
            <Button onClick={() => ask({})}>Evaluate again</Button>
          </div>
        </section>
      )}
      {view === undefined || view.notes.length === 0 ? null : (
        <section class="area stack" aria-label="What to know">
          {view.notes.map(note => (
            <p class="say know" key={note}>
              {sentence(note)}
            </p>
          ))}
        </section>
      )}
    </>
  )
}

function NoEvaluation() {
  return (
    <section class="area wide stack">
      <p>
        <b>Nothing is measured yet:</b> no document has tags, and none is labelled.
      </p>
      <p>
        <GoLink to={{page: 'label'}}>Label 30 to 100 documents</GoLink> drawn at random, or evaluate on documents that
        have tags.
      </p>
    </section>
  )
}
