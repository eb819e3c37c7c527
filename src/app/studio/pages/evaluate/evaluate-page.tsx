import {useEffect} from 'preact/hooks'
import {counted, grouped, listed} from '../../../../base/text/index.ts'
import {
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
import {Area, NeedsDocuments, NeedsModel, PageHead, Say} from '../../ui/area.tsx'
import {Results} from '../../ui/blocks.tsx'
import {Browse, Button, Select, useDrop} from '../../ui/controls.tsx'
import {GoLink} from '../../ui/go-link.tsx'
import {OldFigures, Working} from '../../ui/marks.tsx'
import {sentence} from '../../ui/sentence.ts'
import {useWork, type Work} from '../../ui/work.ts'
import {MistakesArea} from './mistakes-area.tsx'

/** Evaluates, perhaps on other documents. */
type Ask = (request: EvaluationRequest, files?: readonly File[]) => void

/** How good the model is, beside simpler methods, and the documents behind each number. */
export function EvaluatePage() {
  const studio = useStudio()
  const {documents, revision, scores} = studio.state.value
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
  if (shown === undefined && !isReady) return <NeedsModel page="Evaluate" />
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
            <Area also="wide">
              <p>
                <GoLink to={{page: 'label'}}>Label 30 to 100 documents</GoLink> drawn at random, or evaluate on
                documents that have tags.
              </p>
            </Area>
          ) : view.figures.by === 'tags' ? (
            <TagsParts view={view} figures={view.figures} />
          ) : (
            <>
              <Area title="Beside simpler methods" also="wide">
                <Results blocks={labelFigureBlocks(view.figures.evaluation)} />
              </Area>
              <ConceptsArea view={view} figures={view.figures} />
            </>
          )}
        </div>
      )}
    </>
  )
}

/** What the figures are of. */
const JUDGED: Readonly<Record<JudgedOn, (documents: string, files: readonly string[]) => string>> = {
  file: (documents, files) => `${documents} of ${listed(files)}`,
  heldOut: documents => `${documents} held out`,
  learned: documents => `${documents} learned from`,
  labels: documents => `labels of ${documents}`,
  none: () => 'no tags and no labels'
}

const HOLD_OUT =
  'to evaluate on documents that the model has not seen, hold a quarter of them out on Start and read them again'

/** Why classifiers are not trained, where tags would allow it. */
const UNTRAINED: Partial<Record<EvaluationView['training'], string>> = {
  untagged: 'classifiers are not trained: the documents that the model was learned from have no tags to train on',
  'too many': `classifiers are not trained: with more than ${grouped(MOST_TRAINED)} documents, train on the command line: adfa evaluate --train --baselines`
}

/** What makes the figures doubtful. */
function notesOf({on, figures, training}: EvaluationView): (string | undefined)[] {
  if (figures === undefined) return []
  if (figures.by === 'labels') return [labelsUsedText(figures.evaluation, figures.model)]
  const unseen = on === 'learned' ? HOLD_OUT : undefined
  return [...leftOutNotes(figures.left), unseen, ...untrainedNotes(figures.untrained), UNTRAINED[training]]
}

function leadText({on, files, figures}: EvaluationView): string {
  if (figures === undefined) return 'Nothing is measured yet: no document has tags, and none is labelled.'
  if (figures.by === 'labels') return `${labelsLead(figures.evaluation, figures.model)}.`
  const {documents, concepts} = figures.evaluation
  return `${JUDGED[on](counted(documents, 'document'), files)}, ${counted(concepts, 'concept')}.`
}

function Head(props: {view: EvaluationView | undefined; work: Work<EvaluationView>; isOld: boolean; ask: Ask}) {
  const {view, work, isOld, ask} = props
  const [isBusy, fault] = [work.isBusy.value, work.fault.value]
  const notes = view === undefined ? [] : notesOf(view).flatMap(note => note ?? [])
  return (
    <>
      <PageHead
        title="Evaluate"
        lead={
          <>
            {isOld ? <OldFigures /> : null} {view === undefined ? null : leadText(view)}
          </>
        }
      >
        {view !== undefined && view.choices.length > 1 ? (
          <Select<JudgedOn>
            label="Evaluated on"
            isBare
            value={view.on}
            options={view.choices.map(({on, documents}) => [
              on,
              JUDGED[on](counted(documents, 'document'), view.files)
            ])}
            onPick={on => ask({on})}
          />
        ) : null}
        <Browse onFiles={files => ask({on: 'file'}, files)}>Evaluate on other documents</Browse>
        {view?.training === 'possible' ? (
          <Button look="primary" disabled={isBusy || isOld} onClick={() => ask({on: view.on, isTrained: true})}>
            Train classifiers to compare
          </Button>
        ) : null}
      </PageHead>
      {isBusy ? (
        <Area label="At work">
          <Working what="the evaluation" words="judging documents" />
        </Area>
      ) : null}
      {fault === undefined ? null : (
        <Area also="stack">
          <Say is="bad" role="alert">
            {sentence(fault)}
          </Say>
          <Button onClick={() => ask({})}>Evaluate again</Button>
        </Area>
      )}
      {notes.length === 0 ? null : (
        <Area also="stack" label="What to know">
          {notes.map(note => (
            <Say is="know" key={note}>
              {sentence(note)}
            </Say>
          ))}
        </Area>
      )}
    </>
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
      <Area title="Beside simpler methods" also="wide">
        <div class="finding-lead">
          <Results blocks={parts.verdict} />
          {parts.rivals.includes(LINKS) ? (
            <Button isLittle onClick={() => studio.edit({kind: 'setFit', fit: {...fit, words: LINKS}})}>
              Predict with noisy-or links instead
            </Button>
          ) : null}
        </div>
        <Results blocks={[...parts.figures, ...parts.meanings]} />
      </Area>
      <ConceptsArea view={view} figures={figures} />
      <Area title="Do probabilities come true?">
        <Results
          blocks={[
            reliabilityPicture(evaluation),
            {kind: 'more', title: 'As a table', blocks: [reliabilityTable(evaluation.tagging)]}
          ]}
        />
      </Area>
    </>
  )
}

function conceptsOf({evaluation}: TagFigures | LabelFigures): readonly ConceptRow[] {
  return 'perConcept' in evaluation ? evaluation.perConcept : evaluation.concepts
}

/** A row a concept; its mistakes are one step away. */
function ConceptsArea({view, figures}: {view: EvaluationView; figures: TagFigures | LabelFigures}) {
  const {findings} = useStudio().state.value
  const nameOf = (concept: string) => {
    const faults = findings.filter(one => one.concept === concept && one.severity === 'fault').length
    return faults === 0 ? concept : [`${concept} `, {text: counted(faults, 'fault'), look: 'bad' as const}]
  }
  const linkOf = (concept: string, mistakes: MistakeKind): Partial<View> => ({concept, mistakes, document: undefined})
  const rows = conceptsOf(figures).map((row, i) => ({...row, ...view.mistakes[i]}))
  return (
    <Area
      title="By concept, worst first"
      aside={<span class="soft">numbers open their documents</span>}
      {...(figures.by === 'labels' && {also: 'wide'})}
    >
      <Results blocks={[conceptTable(rows, nameOf, linkOf)]} />
    </Area>
  )
}
