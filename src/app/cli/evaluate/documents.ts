import {AdfaError} from '../../../base/checks/index.ts'
import {nameList} from '../../../base/text/index.ts'
import type {Model} from '../../../learn/model/index.ts'
import {type CorpusDocument, StrayTags} from '../../../read/data/index.ts'
import {type DocumentOptions, openDocuments} from '../../../read/files/index.ts'
import type {Baseline} from '../../../use/baselines/index.ts'
import {type Evaluation, OracleTrainer, openEvaluation, trainComparisons} from '../../../use/evaluation/index.ts'
import type {Predictor} from '../../../use/prediction/index.ts'
import {type FormatOptions, usageError} from '../common-options.ts'
import {eachBlock} from '../each-block.ts'
import type {Output} from '../output.ts'
import {readingOf} from '../read-input.ts'
import {foreignTags} from '../undecided.ts'
import {refuseMissing} from '../unseen-fields.ts'
import {beginTagged, type TaggedBlock, type TaggedDocument, type TaggedJob} from './blocks.ts'

/** Comparisons that need training. */
export interface ComparisonOptions extends FormatOptions {
  readonly train?: readonly string[]
  /** An upper bound to compare with, by default learned from the documents of `train`. */
  readonly oracle?: Model
  readonly baselines?: true
  readonly holdOut?: true
  readonly allowMissing?: true
  readonly workers?: number
  readonly seed: number
}

/** Documents left out: without tags, or rejected by the filter of the model. */
interface LeftOut {
  readonly skipped: number
  readonly filtered: number
  /** The share of the others that the model was learned from; undefined where it is not known. */
  readonly learnedShare: number | undefined
}

/** Compares a model, and the comparisons that `options` ask for, with the tags of documents. */
export async function evaluateDocuments(
  model: Model,
  paths: readonly string[],
  options: ComparisonOptions,
  output: Output
): Promise<LeftOut & {readonly evaluation: Evaluation}> {
  if (options.baselines && options.train === undefined)
    throw usageError('--baselines are trained on documents; name them with --train')
  const reading = readingOf(model, options, output)
  const {holdOut, workers, allowMissing} = options
  let {oracle} = options
  let others: Readonly<Record<string, Predictor>> = {}
  if (options.train !== undefined) {
    const trainer = new OracleTrainer(model)
    const documents: CorpusDocument[] = []
    const own = {...reading, part: holdOut && ('learning' as const)}
    const source = {paths: options.train, reading: own, purpose: 'training', workers, allowMissing} as const
    await eachTagged({model, oracle, asks: false}, source, output, ({evidence, labels}) => {
      trainer.add(evidence, labels)
      if (options.baselines) documents.push({key: String(documents.length), ...evidence, labels})
    })
    oracle = await trainer.finish()
    if (options.baselines) {
      const trained = await trainComparisons(model, documents, options.seed, (what, done, all) =>
        output.progress(`training ${what}: classifiers`, done / all)
      )
      noteUntrained(trained, output)
      others = trained
    }
  }
  const evaluation = openEvaluation(model, oracle, others)
  const own = {...reading, part: holdOut && ('held-out' as const)}
  const source = {paths, reading: own, purpose: 'held-out', workers, allowMissing} as const
  const left = await eachTagged({model, oracle, asks: true}, source, output, ({evidence, labels, answers}) =>
    evaluation.add(evidence, labels, undefined, answers)
  )
  return {evaluation: evaluation.finish(options.seed), ...left}
}

/** Names the concepts that classifiers could not learn. */
function noteUntrained(
  {'anchor-label': onAnchors, supervised}: Readonly<Record<'anchor-label' | 'supervised', Baseline>>,
  output: Output
): void {
  for (const [what, {certificate}] of [
    ['on anchors', onAnchors],
    ['on tags', supervised]
  ] as const)
    for (const {concept, reason} of certificate.untrained ?? [])
      output.note(`classifiers ${what} know only how common "${concept}" is: ${reason}`)
}

interface TaggedSource {
  readonly paths: readonly string[]
  readonly reading: DocumentOptions
  readonly purpose: 'training' | 'held-out'
  readonly workers: number | undefined
  readonly allowMissing: true | undefined
}

/** Visits every document that has tags or labels and passes the filter of the model. */
async function eachTagged(
  job: TaggedJob,
  {paths, reading, purpose, workers, allowMissing}: TaggedSource,
  output: Output,
  visit: (document: TaggedDocument) => void
): Promise<LeftOut> {
  const source = openDocuments(paths, reading)
  const tags = new StrayTags(job.model.lexicon)
  const names = new Set<string>()
  let unseen: readonly string[] | undefined
  const {concepts} = job.model
  const isPresent = concepts.map(() => false)
  let skipped = 0
  let filtered = 0
  const learned = {known: 0, read: 0}
  const take = (block: TaggedBlock) => {
    skipped += block.skipped
    filtered += block.filtered
    learned.known += block.known
    learned.read += block.read
    tags.add(block)
    for (const tag of block.tags) names.add(tag)
    unseen = (unseen ?? block.unseen).filter(name => block.unseen.includes(name))
    for (const document of block.tagged) {
      document.labels.forEach((label, i) => {
        isPresent[i] ||= label === 1
      })
      visit(document)
    }
  }
  const worker = new URL('./evaluate-worker.ts', import.meta.url)
  const task = {
    stage: purpose === 'training' ? 'reading training documents' : 'reading documents',
    job,
    begin: beginTagged,
    worker,
    take
  }
  const documents = await eachBlock(source, task, {workers, output})
  if (skipped + filtered === documents)
    throw new AdfaError(
      'bad-document',
      `${source.names.join(', ')}: no ${purpose === 'training' ? 'training ' : ''}document has tags or labels and passes the model's filter; ` +
        `of ${documents}, ${skipped} have none and ${filtered} do not pass; give documents that do, or --labels FILE`,
      {details: {isUntagged: skipped === documents && purpose === 'held-out'}}
    )
  await refuseMissing(unseen ?? [], job.model.lexicon, paths, {allowMissing})
  const absent = concepts.filter((_, i) => !isPresent[i]).map(({name}) => name)
  if (absent.length === concepts.length && names.size > 0)
    throw foreignTags(names, job.model.lexicon, 'judge by labels (adfa evaluate --labels)')
  if (purpose === 'held-out') {
    if (absent.length > 0 && names.size > 0)
      output.note(
        `no document has the tag of ${nameList(absent)}: all predictions of it count as wrong; concepts are judged by tags of the same name`
      )
    for (const note of tags.notes()) output.note(note)
  }
  return {skipped, filtered, learnedShare: learned.known === 0 ? undefined : learned.read / learned.known}
}
