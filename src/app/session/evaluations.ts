/** Evaluations of the last model, on a thread of their own: the session keeps answering, and an edit or `cancel` ends them. */
import {AdfaError} from '../../base/checks/index.ts'
import {listed} from '../../base/text/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {Row} from '../../read/data/index.ts'
import type {SourceFile} from '../../read/reading/index.ts'
import {labelsByKey} from '../../use/labelling/index.ts'
import {createLabelledReader, type KnownDocument, KnownReader, type LeftOut} from '../pipeline/index.ts'
import type {Project} from '../project/index.ts'
import type {EvaluationRequest, EvaluationView, Judged, JudgedOn, LabelFigures, TagFigures} from './evaluation-view.ts'
import {type Facts, lastModel} from './facts.ts'
import type {Evaluated, EvaluationTask, LabelledDocument} from './judge.ts'
import type {LearnedResult} from './pipeline.ts'
import {surveyFiles} from './survey.ts'
import type {Job} from './work.ts'

/** With more documents, training is for the command line. */
export const MOST_TRAINED = 100_000

/** Reads other documents to judge on, and returns the names of their files. */
export async function readOthers(
  {documents, project, work}: Facts,
  files: readonly SourceFile[]
): Promise<readonly string[]> {
  const {survey, source} = await surveyFiles(files, project.reading)
  if (source === undefined)
    throw new AdfaError('bad-document', `${listed(files.map(({name}) => name))}: no documents; give tagged documents`)
  const {format, encoding} = survey.reading
  const rows: Row[] = []
  for await (const batch of source.batches({format, encoding} as Project['reading'], documents.options)) {
    rows.push(...batch.rows)
    work.progress({words: 'reading documents', share: batch.share})
  }
  if (!rows.some(({tags, labels}) => tags !== undefined || labels !== undefined))
    throw new AdfaError(
      'bad-document',
      `${listed(source.names)}: no document has tags or labels; give documents that do, with tags in ${project.reading.tags ?? 'a column "tags"'}`
    )
  documents.judgeOn(rows)
  return source.names
}

/** The last evaluation where that is what is asked for, or else a new one; `files` are those of other documents. */
export async function evaluateModel(
  facts: Facts,
  {on: wanted, isTrained = false}: EvaluationRequest,
  files: readonly string[]
): Promise<Judged> {
  const {documents, project, judged: last, work} = facts
  const {labels} = project
  const learned = lastModel(facts.results)
  const choices = choicesOf(facts)
  const before = last?.documents === documents ? last.view.on : undefined
  const {on} = choices.find(choice => choice.on === (wanted ?? before)) ?? choices[0]
  const isSame = last?.learned === learned && before === on && last.labels === labels
  if (isSame && (last.view.training === 'done' || !isTrained)) return last
  const view: EvaluationView = {on, choices, files, mistakes: [], training: trainingOf(facts, on)}
  const judged = {learned, documents, labels}
  if (on === 'none') return {...judged, view, wrong: () => []}
  return work.run('evaluation', async job => {
    const {task, numbers, left} =
      on === 'labels' ? await labelTask(facts, learned, job) : await tagTask(facts, learned, job, on, isTrained)
    const evaluated = await job.value(job.solver().evaluate(task))
    const {training} = isTrained ? ({training: 'done'} as const) : view
    const mistakes = evaluated.mistakes.map(({alarms, misses}) => ({alarms: alarms.length, misses: misses.length}))
    const found = {...view, training, mistakes, figures: figuresOf(evaluated, learned.model, left)}
    const own = project.documents?.files ?? []
    // No command judges on the documents learned from where others are held out.
    const isCommand = evaluated.by === 'tags' && (on !== 'learned' || documents.heldOut === 0)
    const named = {data: on === 'file' ? files : own, train: isTrained ? own : undefined}
    return {
      ...judged,
      view: found,
      wrong: wrongIn(learned.model, evaluated, numbers),
      ...(isCommand && {
        reported: {evaluation: evaluated.evaluation, learnedShare: left.learnedShare, files: named}
      })
    }
  })
}

function figuresOf(evaluated: Evaluated, model: Model, left: LeftOut): TagFigures | LabelFigures {
  if (evaluated.by === 'labels') {
    const {certificate, lexicon} = model
    const {anchors} = lexicon
    return {by: 'labels', evaluation: evaluated.evaluation, model: {certificate, lexicon: {anchors}}}
  }
  const {evaluation, untrained} = evaluated
  // A message stays small: figures of concepts by other methods are on no screen.
  const others = Object.entries(evaluation.baselines).map(([name, own]) => [name, {...own, perConcept: []}] as const)
  return {by: 'tags', evaluation: {...evaluation, baselines: Object.fromEntries(others)}, left, untrained}
}

function choicesOf({documents: {count, total, numbered, tagged}, project}: Facts): EvaluationView['choices'] {
  const whole = project.labels.filter(({drawn, labels}) => drawn !== 'anchored' && labels.size > 0).length
  const all: EvaluationView['choices'] = [
    {on: 'file', documents: numbered - total},
    {on: 'heldOut', documents: total - count},
    {on: 'learned', documents: tagged},
    {on: 'labels', documents: whole}
  ]
  const there = all.filter(({documents}) => documents > 0)
  return there.length > 0 ? there : [{on: 'none', documents: 0}]
}

/** Whether baselines can be trained on the documents that were learned from. */
function trainingOf({documents}: Facts, on: JudgedOn): EvaluationView['training'] {
  if (on === 'labels' || on === 'none') return 'by tags only'
  if (documents.tagged === 0) return 'untagged'
  return documents.count > MOST_TRAINED ? 'too many' : 'possible'
}

/** What is judged, with the numbers of its documents in the session. */
interface Gathered {
  readonly task: EvaluationTask
  readonly numbers: readonly number[]
  readonly left: LeftOut
}

async function tagTask(
  {documents}: Facts,
  {model, evidence}: LearnedResult,
  job: Job,
  on: 'file' | 'heldOut' | 'learned',
  isTrained: boolean
): Promise<Gathered> {
  const knownOf = async (first: number, end: number) => {
    const reader = new KnownReader(model)
    const known = new Map<number, KnownDocument>()
    await job.each(end - first, place => {
      const at = first + place
      const document = reader.read(documents.row(at), evidence(at))
      if (document !== undefined) known.set(at, document)
    })
    if (known.size === 0)
      throw new AdfaError('bad-document', 'none of these documents has tags or labels; evaluate on documents that do')
    return {known: [...known.values()], numbers: [...known.keys()], left: reader.left()}
  }
  const {count, total, numbered} = documents
  const [first, end] = {file: [total, numbered], heldOut: [count, total], learned: [0, count]}[on]
  const {known, numbers, left} = await knownOf(first, end)
  const train = isTrained ? (await knownOf(0, count)).known : undefined
  return {task: {by: 'tags', model, known, train}, numbers, left}
}

/** All documents that were read, with the labels of the project. */
async function labelTask({documents, project}: Facts, {model, evidence}: LearnedResult, job: Job): Promise<Gathered> {
  const read = createLabelledReader(model, labelsByKey(project.labels), project.labels)
  const numbers = documents.inOrder()
  const known: LabelledDocument[] = []
  await job.each(numbers.length, place => {
    const at = numbers[place]
    known.push({...read(documents.row(at)), evidence: evidence(at)})
  })
  if (!known.some(({labels, isWhole}) => labels !== undefined && isWhole))
    throw new AdfaError('bad-document', 'no labelled document drawn at random is among these; label some first')
  return {task: {by: 'labels', model, known}, numbers, left: new KnownReader(model).left()}
}

function wrongIn({concepts}: Model, {mistakes}: Evaluated, numbers: readonly number[]): Judged['wrong'] {
  return (concept, kind) => {
    const own = mistakes[concepts.findIndex(({name}) => name === concept)]
    const wrong = kind === 'alarm' ? own?.alarms : own?.misses
    return (wrong ?? []).map(({document, probability}) => ({document: numbers[document], probability}))
  }
}
