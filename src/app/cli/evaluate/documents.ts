import {AdfaError} from '../../../base/checks/index.ts'
import type {Model} from '../../../learn/model/index.ts'
import {keyColumns} from '../../../read/data/index.ts'
import {type DocumentOptions, openDocuments} from '../../../read/files/index.ts'
import {type Evaluation, openEvaluation} from '../../../use/evaluation/index.ts'
import type {Predictor} from '../../../use/prediction/index.ts'
import {KnownReader, type LeftOut, MethodTraining} from '../../pipeline/index.ts'
import {untrainedNotes} from '../../present/index.ts'
import {type FormatOptions, usageError, type WorkOptions} from '../common-options.ts'
import {eachBlock} from '../each-block.ts'
import type {Output} from '../output.ts'
import {readingOf} from '../read-input.ts'
import {foreignTags} from '../undecided.ts'
import {missingText, refuseMissing} from '../unseen-fields.ts'
import {createTaggedReader, type TaggedBlock, type TaggedJob} from './blocks.ts'

/** Comparisons that need training. */
export interface ComparisonOptions extends FormatOptions, WorkOptions {
  readonly train?: readonly string[]
  /** An upper bound to compare with, by default learned from the documents of `train`. */
  readonly oracle?: Model
  readonly baselines?: true
  readonly holdOut?: true
  readonly allowMissing?: true
  readonly seed: number
}

/** Compares a model, and the comparisons that `options` ask for, with the tags of documents. */
export async function evaluateDocuments(
  model: Model,
  paths: readonly string[],
  options: ComparisonOptions,
  output: Output
): Promise<{readonly evaluation: Evaluation; readonly left: LeftOut}> {
  const {train, baselines = false, seed} = options
  if (baselines && train === undefined) throw usageError('--baselines are trained on documents; name them with --train')
  const reading = readingOf(model, options, output)
  const task = {reading, options, output}
  let {oracle} = options
  let others: Readonly<Record<string, Predictor>> = {}
  if (train !== undefined) {
    const training = new MethodTraining(model, baselines)
    const job = {model, oracle, asks: false}
    await eachTagged(job, {...task, paths: train, part: 'learning'}, document => training.add(document))
    const trained = await training.finish(seed, output.progress)
    for (const note of untrainedNotes(trained.untrained)) output.note(note)
    oracle = trained.oracle
    others = trained.methods
  }
  const evaluation = openEvaluation(model, oracle, others)
  const job = {model, oracle, asks: true}
  const left = await eachTagged(job, {...task, paths, part: 'held-out'}, ({evidence, labels, answers}) =>
    evaluation.add(evidence, labels, answers)
  )
  return {evaluation: evaluation.finish(seed), left}
}

interface TaggedTask {
  readonly paths: readonly string[]
  readonly reading: DocumentOptions
  /** The part that --hold-out leaves. */
  readonly part: 'learning' | 'held-out'
  readonly options: ComparisonOptions
  readonly output: Output
}

/** Visits every document that has tags or labels and passes the filter of the model. */
async function eachTagged(
  job: TaggedJob,
  {paths, reading, part, options: {workers, allowMissing, holdOut}, output}: TaggedTask,
  visit: (document: TaggedBlock['known'][number]) => void
): Promise<LeftOut> {
  const {concepts, lexicon} = job.model
  const training = part === 'learning' ? 'training ' : ''
  const source = openDocuments(paths, {...reading, part: holdOut && part})
  const reader = new KnownReader(job.model)
  let unseen: readonly string[] | undefined
  const take = ({counts, known, ...block}: TaggedBlock) => {
    reader.add(counts)
    unseen = (unseen ?? block.unseen).filter(name => block.unseen.includes(name))
    known.forEach(visit)
  }
  const worker = new URL('./evaluate-worker.ts', import.meta.url)
  const stage = `reading ${training}documents`
  const documents = await eachBlock(source, {stage, job, begin: createTaggedReader, worker, take}, {workers, output})
  const {skipped, filtered, tags} = reader.counts
  if (skipped + filtered === documents) {
    const {tags: column} = keyColumns(reading)
    const where = column !== undefined && skipped === documents ? `${await missingText(column, paths)}; ` : ''
    throw new AdfaError(
      'bad-document',
      `${source.names.join(', ')}: no ${training}document has tags or labels and passes the model's filter; ` +
        `of ${documents}, ${skipped} have none and ${filtered} do not pass; ${where}give documents that do, or --labels FILE`,
      {details: {isUntagged: skipped === documents && part === 'held-out'}}
    )
  }
  await refuseMissing(unseen ?? [], lexicon, paths, {allowMissing})
  const left = reader.left()
  if (left.absent.length === concepts.length)
    throw foreignTags(tags, lexicon, 'judge by labels (adfa evaluate --labels)')
  return left
}
