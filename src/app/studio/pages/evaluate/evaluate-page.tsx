import {counted, grouped, listed} from '../../../../base/text/index.ts'
import {
  type ConceptRow,
  conceptTable,
  evaluationParts,
  labelFigureBlocks,
  labelsLead,
  labelsUsedText,
  leftOutNotes,
  reliabilityPicture,
  reliabilityTable,
  untrainedNotes
} from '../../../present/index.ts'
import {
  type EvaluationView,
  type JudgedOn,
  type LabelFigures,
  MOST_TRAINED,
  type TagFigures
} from '../../../session/index.ts'
import {useStudio, type View} from '../../store.ts'
import {Empty, NeedsDocuments} from '../../ui/area.tsx'
import {Results} from '../../ui/blocks.tsx'
import {Browse, Button, Select, useDrop} from '../../ui/controls.tsx'
import {GoLink} from '../../ui/go-link.tsx'
import {OldFigures, StateMark, WorkingArea} from '../../ui/marks.tsx'
import {sentence} from '../../ui/sentence.ts'
import {MistakesArea} from './mistakes-area.tsx'
import {type Evaluating, useEvaluation} from './use-evaluation.ts'

/** How good the model is, beside simpler methods, and the documents behind each number. */
export function EvaluatePage() {
  const studio = useStudio()
  const {documents, numbers, scores} = studio.state.value
  const evaluating = useEvaluation(studio)
  useDrop(files => documents > 0 && evaluating.ask({on: 'file'}, files))
  const {view, isOld} = evaluating
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
  const {figures} = view ?? {}
  if (mistakes && figures && concept !== undefined) {
    const concepts = conceptsOf(figures).map(each => each.concept)
    return <MistakesArea concepts={concepts} by={figures.by} concept={concept} of={view} isOld={isOld} />
  }
  return (
    <>
      <Head evaluating={evaluating} />
      {view === undefined ? null : (
        <div class={isOld ? 'evaluate columns stale' : 'evaluate columns'}>
          {figures === undefined ? <NoEvaluation /> : null}
          {figures?.by === 'tags' ? <FiguresArea figures={figures} /> : null}
          {figures?.by === 'labels' ? (
            <section class="area wide" aria-labelledby="figures-title">
              <h2 id="figures-title">Beside simpler methods</h2>
              <Results blocks={labelFigureBlocks(figures.evaluation)} />
            </section>
          ) : null}
          {figures === undefined ? null : <ConceptsArea view={view} figures={figures} />}
          {figures?.by === 'tags' ? <ReliabilityArea figures={figures} /> : null}
        </div>
      )}
    </>
  )
}

const CHOICES: Readonly<Record<JudgedOn, (documents: string, view: EvaluationView) => string>> = {
  file: (documents, {files}) => `${documents} of ${listed(files)}`,
  heldOut: documents => `${documents} held out`,
  learned: documents => `${documents} learned from`,
  labels: documents => `labels of ${documents} documents`,
  none: () => 'no tags and no labels'
}

const JUDGED: Readonly<Record<JudgedOn, (view: EvaluationView) => string>> = {
  file: ({files}) => `of ${listed(files)}`,
  heldOut: () => 'held out, which the model has not seen',
  learned: () => 'that the model was learned from',
  labels: () => 'with labels',
  none: () => ''
}

/** What the figures are of. */
function leadText(view: EvaluationView): string {
  const {on, figures} = view
  if (figures === undefined)
    return 'There are no tags and no labels, so nothing can be measured yet. Label 30 documents or more to see how often the model is right.'
  if (figures.by === 'labels') return `${labelsLead(figures.evaluation, figures.model)}.`
  const {documents, concepts} = figures.evaluation
  return `${counted(documents, 'document')} ${JUDGED[on](view)}, ${counted(concepts, 'concept')}.`
}

const HOLD_OUT =
  'to evaluate on documents that the model has not seen, hold a quarter of them out on Start and read them again'

/** Why classifiers are not trained, where tags would allow it. */
const UNTRAINED: Partial<Record<EvaluationView['training'], string>> = {
  untagged: 'classifiers are not trained: the documents that the model was learned from have no tags to train on',
  'too many': `classifiers are not trained: with more than ${grouped(MOST_TRAINED)} documents, train on the command line: adfa evaluate --train --baselines`
}

/** What makes the figures doubtful. */
function notesOf({on, figures, training}: EvaluationView): string[] {
  if (figures === undefined) return []
  if (figures.by === 'labels') return [labelsUsedText(figures.evaluation, figures.model)]
  const untrained = UNTRAINED[training]
  return [
    ...leftOutNotes(figures.left),
    ...(on === 'learned' ? [HOLD_OUT] : []),
    ...untrainedNotes(figures.untrained),
    ...(untrained === undefined ? [] : [untrained])
  ]
}

function Head({evaluating}: {evaluating: Evaluating}) {
  const {view, isOld, since, fault, ask} = evaluating
  const isBusy = since !== undefined
  const notes = view === undefined ? [] : notesOf(view)
  return (
    <>
      <div class="page-head">
        <h1>Evaluate</h1>
        <p class="lead">
          {isOld ? <OldFigures /> : null} {view === undefined ? null : leadText(view)}
        </p>
        <div class="do">
          {view !== undefined && view.choices.length > 1 ? (
            <Select<JudgedOn>
              label="Evaluated on"
              isBare
              value={view.on}
              options={view.choices.map(({on, documents}) => [on, CHOICES[on](grouped(documents), view)])}
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
      {notes.length === 0 ? null : (
        <section class="area stack" aria-label="What to know">
          {notes.map(note => (
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

/** The same model by its links: a setting away. */
const LINKS = 'noisy-or'

/** The model beside every method, the best of each figure marked, whoever it is. */
function FiguresArea({figures}: {figures: TagFigures}) {
  const studio = useStudio()
  const {evaluation} = figures
  const parts = evaluationParts(evaluation)
  const {fit} = studio.project.value
  const isByLinks = parts.rivals.includes(LINKS)
  return (
    <section class="area wide" aria-labelledby="figures-title">
      <div class="head">
        <h2 id="figures-title">Beside simpler methods</h2>
      </div>
      <div class="finding-lead">
        <Results blocks={parts.verdict} />
        {isByLinks ? (
          <Button isLittle onClick={() => studio.edit({kind: 'setFit', fit: {...fit, words: LINKS}})}>
            Predict with noisy-or links instead
          </Button>
        ) : null}
      </div>
      <Results blocks={[...parts.figures, ...parts.meanings]} />
    </section>
  )
}

function conceptsOf({evaluation}: TagFigures | LabelFigures): readonly ConceptRow[] {
  return 'perConcept' in evaluation ? evaluation.perConcept : evaluation.concepts
}

/** A row a concept; its mistakes are one step away. */
function ConceptsArea({view, figures}: {view: EvaluationView; figures: TagFigures | LabelFigures}) {
  const studio = useStudio()
  const faultsOf = (name: string) =>
    studio.state.value.findings.filter(one => one.concept === name && one.severity === 'fault').length
  const nameOf = (name: string) =>
    faultsOf(name) === 0 ? name : [`${name} `, {text: counted(faultsOf(name), 'fault'), look: 'bad' as const}]
  const rows = conceptsOf(figures).map((row, i) => ({...row, ...view.mistakes[i]}))
  const linkOf = (concept: string, mistakes: 'alarm' | 'miss'): Partial<View> => ({concept, mistakes})
  return (
    <section class={figures.by === 'labels' ? 'area wide' : 'area'} aria-labelledby="concepts-title">
      <div class="head">
        <h2 id="concepts-title">By concept, worst first</h2>
        <span class="soft">numbers open their documents</span>
      </div>
      <Results blocks={[conceptTable(rows, nameOf, linkOf)]} />
    </section>
  )
}

/** How often probabilities come true. */
function ReliabilityArea({figures: {evaluation}}: {figures: TagFigures}) {
  return (
    <section class="area" aria-labelledby="reliability-title">
      <h2 id="reliability-title">Do probabilities come true?</h2>
      <Results
        blocks={[
          reliabilityPicture(evaluation),
          {kind: 'more', title: 'As a table', blocks: [reliabilityTable(evaluation.tagging)]}
        ]}
      />
      <p class="soft small">
        Each point is a group of predictions of similar probability. On the diagonal, they come true as often as the
        model says; below it, less often.
      </p>
    </section>
  )
}
