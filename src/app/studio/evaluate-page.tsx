import {counted} from '../../base/text/index.ts'
import type {JudgedOn} from '../desk/index.ts'
import {Browse, useDrop} from './browse.tsx'
import {ConceptsArea, FiguresArea, ReliabilityArea} from './figures-areas.tsx'
import {GoLink} from './go-link.tsx'
import {NeedsDocuments} from './label-page.tsx'
import {MistakesArea} from './mistakes-area.tsx'
import {OldFigures} from './old-figures.tsx'
import {Button, Empty, Meter, Select, StateMark} from './parts.tsx'
import {sentence} from './sentence.ts'
import type {Studio} from './store.ts'
import {type Evaluating, useEvaluation} from './use-evaluation.ts'

/** How good the model is, beside simpler methods, and the documents behind each number. */
export function EvaluatePage({studio}: {studio: Studio}) {
  const {documents, numbers, scores} = studio.state.value
  const evaluating = useEvaluation(studio)
  useDrop(files => documents > 0 && evaluating.ask({on: 'file'}, files))
  const {view} = evaluating
  if (documents === 0) return <NeedsDocuments studio={studio} title="Evaluate" />
  if (view === undefined && scores.is !== 'ready')
    return (
      <>
        <h1 class="unseen">Evaluate</h1>
        <Empty title={numbers.is === 'none' ? 'Needs a model.' : 'The model is not ready.'}>
          {numbers.is === 'none' ? (
            <>
              Name concepts and give them anchors on{' '}
              <GoLink studio={studio} to={{page: 'anchors'}}>
                Anchors
              </GoLink>
              .
            </>
          ) : (
            <StateMark stage={numbers.is === 'failed' ? numbers : scores} />
          )}
        </Empty>
      </>
    )
  const {concept, mistakes} = studio.view.value
  if (mistakes && view && concept !== undefined)
    return <MistakesArea studio={studio} view={view} concept={concept} isOld={evaluating.isOld} />
  return <Figures studio={studio} evaluating={evaluating} />
}

function Figures({studio, evaluating}: {studio: Studio; evaluating: Evaluating}) {
  const {view, isOld, since} = evaluating
  return (
    <>
      <Head studio={studio} evaluating={evaluating} />
      {view === undefined ? null : (
        <div class={isOld ? 'evaluate columns stale' : 'evaluate columns'}>
          {view.on === 'none' ? <NoEvaluation studio={studio} /> : null}
          {view.tables.length > 0 ? <FiguresArea studio={studio} view={view} isBusy={since !== undefined} /> : null}
          {view.concepts.length > 0 ? <ConceptsArea studio={studio} view={view} /> : null}
          {view.reliability.length > 0 ? <ReliabilityArea studio={studio} view={view} isOld={isOld} /> : null}
        </div>
      )}
    </>
  )
}

function Head({studio, evaluating}: {studio: Studio; evaluating: Evaluating}) {
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
      {isBusy ? <Work studio={studio} since={since} /> : null}
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

/** What is done, for how long, and the way to stop it. */
function Work({studio, since}: {studio: Studio; since: number}) {
  const {words = 'judging documents', share} = studio.progress.value ?? {}
  const seconds = Math.round((Date.now() - since) / 1000)
  return (
    <section class="area stack" aria-label="At work">
      <p>
        {sentence(words)} {seconds > 1 ? <span class="soft">{counted(seconds, 'second')} so far.</span> : null}
      </p>
      {share === undefined ? null : <Meter isLong share={share} />}
      <div class="rowed">
        <Button onClick={() => studio.desk.cancel().catch(studio.say)}>Cancel</Button>
      </div>
    </section>
  )
}

function NoEvaluation({studio}: {studio: Studio}) {
  return (
    <section class="area wide stack">
      <p>
        <b>Nothing is measured yet:</b> no document has tags, and none is labelled.
      </p>
      <p>
        <GoLink studio={studio} to={{page: 'label'}}>
          Label 30 to 100 documents
        </GoLink>{' '}
        drawn at random, or evaluate on documents that have tags.
      </p>
    </section>
  )
}
