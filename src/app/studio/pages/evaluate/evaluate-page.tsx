import type {ComponentChildren} from 'preact'
import {useEffect} from 'preact/hooks'
import {counted, grouped, listed} from '../../../../base/text/index.ts'
import {
  type Block,
  type ConceptRow,
  conceptTable,
  evaluationParts,
  labelFigureBlocks,
  labelsLead,
  labelsUsedText,
  leftOutNotes,
  type MistakeKind,
  reliabilityPicture,
  reliabilityTable,
  untrainedNotes
} from '../../../present/index.ts'
import {
  type EvaluationRequest,
  type EvaluationView,
  type JudgedOn,
  type LabelFigures,
  MOST_TRAINED,
  type TagFigures
} from '../../../session/index.ts'
import {useStudio, type View} from '../../store.ts'
import {Area, Empty, NeedsDocuments} from '../../ui/area.tsx'
import {Results} from '../../ui/blocks.tsx'
import {Browse, Button, Select, useDrop} from '../../ui/controls.tsx'
import {GoLink} from '../../ui/go-link.tsx'
import {OldFigures, StateMark, Working} from '../../ui/marks.tsx'
import {sentence} from '../../ui/sentence.ts'
import {useWork, type Work} from '../../ui/work.ts'
import {MistakesArea} from './mistakes-area.tsx'

/** Evaluates, perhaps on other documents. */
type Ask = (request: EvaluationRequest, files?: readonly File[]) => void

/** How good the model is, beside simpler methods, and the documents behind each number. */
export function EvaluatePage() {
  const studio = useStudio()
  const {documents, revision, numbers, scores} = studio.state.value
  const work = useWork<EvaluationView>(`evaluation of ${studio.project.value.documents?.hash}`)
  const ask: Ask = (request, files) => void work.start(() => studio.session.evaluate(request, files))
  const isReady = scores.is === 'ready'
  useEffect(() => {
    if (isReady) ask({})
    // Once for each model.
  }, [revision, isReady])
  useDrop(files => documents > 0 && ask({on: 'file'}, files))
  const shown = work.answer.value
  if (documents === 0) return <NeedsDocuments page="Evaluate" />
  if (shown === undefined && !isReady)
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
  const view = shown?.value
  const isOld = shown !== undefined && (shown.revision !== revision || !isReady)
  const {concept, mistakes} = studio.view.value
  if (mistakes && view?.figures && concept !== undefined) {
    const concepts = conceptsOf(view.figures).map(each => each.concept)
    return (
      <MistakesArea
        key={concept}
        {...{concepts, concept, isOld}}
        by={view.figures.by}
        first={mistakes}
        figures={shown?.number ?? 0}
      />
    )
  }
  return (
    <>
      <Head view={view} work={work} isOld={isOld} ask={ask} />
      {view === undefined ? null : (
        <div class={isOld ? 'evaluate columns stale' : 'evaluate columns'}>
          {view.figures === undefined ? (
            <NoEvaluation />
          ) : view.figures.by === 'tags' ? (
            <TagsParts view={view} figures={view.figures} />
          ) : (
            <>
              <Part title="Beside simpler methods" blocks={labelFigureBlocks(view.figures.evaluation)} isWide />
              <ConceptsPart view={view} figures={view.figures} />
            </>
          )}
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
  return [
    ...leftOutNotes(figures.left),
    ...(on === 'learned' ? [HOLD_OUT] : []),
    ...untrainedNotes(figures.untrained),
    ...(UNTRAINED[training] ?? [])
  ].flat()
}

function Head(props: {view: EvaluationView | undefined; work: Work<EvaluationView>; isOld: boolean; ask: Ask}) {
  const {view, work, isOld, ask} = props
  const [since, fault] = [work.since.value, work.fault.value]
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
            <Button
              look="primary"
              disabled={since !== undefined || isOld}
              onClick={() => ask({on: view.on, isTrained: true})}
            >
              Train classifiers to compare
            </Button>
          ) : null}
        </div>
      </div>
      {since === undefined ? null : (
        <Area label="At work">
          <Working what="the evaluation" words="judging documents" />
        </Area>
      )}
      {fault === undefined ? null : (
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

/** The model beside every method, the best of each figure marked, whoever it is; each concept; how often probabilities come true. */
function TagsParts({view, figures}: {view: EvaluationView; figures: TagFigures}) {
  const studio = useStudio()
  const {evaluation} = figures
  const parts = evaluationParts(evaluation)
  const {fit} = studio.project.value
  return (
    <>
      <Part title="Beside simpler methods" blocks={[...parts.figures, ...parts.meanings]} isWide>
        <div class="finding-lead">
          <Results blocks={parts.verdict} />
          {parts.rivals.includes(LINKS) ? (
            <Button isLittle onClick={() => studio.edit({kind: 'setFit', fit: {...fit, words: LINKS}})}>
              Predict with noisy-or links instead
            </Button>
          ) : null}
        </div>
      </Part>
      <ConceptsPart view={view} figures={figures} />
      <Part
        title="Do probabilities come true?"
        blocks={[
          reliabilityPicture(evaluation),
          {kind: 'more', title: 'As a table', blocks: [reliabilityTable(evaluation.tagging)]}
        ]}
      >
        <p class="soft small">
          Each point is a group of predictions of similar probability. On the diagonal, they come true as often as the
          model says; below it, less often.
        </p>
      </Part>
    </>
  )
}

function conceptsOf({evaluation}: TagFigures | LabelFigures): readonly ConceptRow[] {
  return 'perConcept' in evaluation ? evaluation.perConcept : evaluation.concepts
}

/** A row a concept; its mistakes are one step away. */
function ConceptsPart({view, figures}: {view: EvaluationView; figures: TagFigures | LabelFigures}) {
  const {findings} = useStudio().state.value
  const nameOf = (concept: string) => {
    const faults = findings.filter(one => one.concept === concept && one.severity === 'fault').length
    return faults === 0 ? concept : [`${concept} `, {text: counted(faults, 'fault'), look: 'bad' as const}]
  }
  const linkOf = (concept: string, mistakes: MistakeKind): Partial<View> => ({concept, mistakes, document: undefined})
  const rows = conceptsOf(figures).map((row, i) => ({...row, ...view.mistakes[i]}))
  return (
    <Part
      title="By concept, worst first"
      aside="numbers open their documents"
      blocks={[conceptTable(rows, nameOf, linkOf)]}
      isWide={figures.by === 'labels'}
    />
  )
}

/** Results under a heading of their own. */
function Part(props: {
  readonly title: string
  readonly aside?: string
  readonly blocks: readonly Block[]
  readonly isWide?: boolean
  /** What stands before the results. */
  readonly children?: ComponentChildren
}) {
  const {title, aside, blocks, isWide = false, children} = props
  return (
    <section class={isWide ? 'area wide' : 'area'} aria-label={title}>
      <div class="head">
        <h2>{title}</h2>
        {aside === undefined ? null : <span class="soft">{aside}</span>}
      </div>
      {children}
      <Results blocks={blocks} />
    </section>
  )
}
