import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {createInference} from '../../learn/inference/index.ts'
import {createSampleFilter, type LearnedModel, learnFromCounts} from '../../learn/learn.ts'
import {type Model, saveModel} from '../../learn/model/index.ts'
import type {FitOptions} from '../../learn/options.ts'
import {type Counts, countsToBytes} from '../../read/counts/index.ts'
import {type Corpus, createEncoder, type Evidence, encodeCorpus, type Row} from '../../read/data/index.ts'
import {type AnchorSource, type CountingOptions, countDocuments} from '../../read/engines/index.ts'
import {openDocuments, withAtomicWriter, writeAtomically} from '../../read/files/index.ts'
import {diagnose} from '../../use/advice/index.ts'
import {type Evaluation, OracleTrainer, openEvaluation} from '../../use/evaluation/index.ts'
import {predictionWriter} from '../../use/prediction/index.ts'
import {drawReportPictures, renderReport} from '../../use/report/index.ts'
import {loadGraphviz} from '../drawing/index.ts'

export interface Demo {
  readonly model: LearnedModel
  readonly counts: Counts
  readonly evaluation: Evaluation
  readonly examples: readonly DemoExample[]
  readonly files: readonly string[]
}

/** A held-out document and its prediction. */
export interface DemoExample {
  readonly id: string
  readonly text: string
  readonly tags: readonly string[]
  readonly predicted: readonly {readonly name: string; readonly probability: number}[]
}

export interface DemoPlan {
  readonly title: string
  readonly directory: string
  readonly anchors: AnchorSource
  readonly counting: Partial<CountingOptions>
  readonly fitting: Partial<FitOptions>
  /** An upper bound to compare with; by default a model learned from the true tags of the training documents. */
  readonly oracle?: Model
}

export type OnStep = (step: string) => void

/**
 * The whole pipeline on `train.jsonl` and `heldout.jsonl` of the plan's directory: count, fit, predict, evaluate, report. It
 * writes the same files as the commands of these names.
 */
export async function runPipeline(plan: DemoPlan, onStep: OnStep): Promise<Demo> {
  const path = (name: string) => join(plan.directory, name)
  onStep('counting the training documents')
  const source = openDocuments([path('train.jsonl')], {text: ['title', 'text']})
  const counts = await countDocuments(source, plan.anchors, plan.counting)
  await writeAtomically(path('train.counts'), countsToBytes(counts))
  onStep('learning the model')
  const model = await learnFromCounts(counts, await trainingSample(counts, path('train.jsonl')), plan.fitting, {})
  await writeAtomically(path('model.json'), saveModel(model))
  const oracle = plan.oracle ?? (await learnOracle(model, path('train.jsonl'), onStep))
  onStep('predicting and evaluating the held-out documents')
  const evaluation = openEvaluation(model, oracle)
  const examples: DemoExample[] = []
  const inference = createInference(model)
  const writeLine = predictionWriter(model)
  await withAtomicWriter(path('predictions.jsonl'), writer =>
    eachTagged(model, path('heldout.jsonl'), async (row, evidence, labels) => {
      evaluation.add(evidence, labels)
      const {probabilities} = inference.posterior(evidence)
      await writer.write(writeLine(String(row.id), probabilities))
      // The first five with at least two concepts, not picked by result.
      if (examples.length < 5 && labels.filter(value => value === 1).length >= 2)
        examples.push(describeExample(model, row, labels, probabilities))
    })
  )
  const demo = {model, counts, evaluation: evaluation.finish(), examples}
  onStep('writing the report')
  await writeAtomically(path('report.html'), await reportOf(plan.title, demo))
  return {...demo, files: DEMO_FILES.map(path)}
}

const DEMO_FILES = ['train.jsonl', 'heldout.jsonl', 'train.counts', 'model.json', 'predictions.jsonl', 'report.html']

async function reportOf(title: string, {model, counts, evaluation}: Omit<Demo, 'files'>): Promise<string> {
  const pictures = drawReportPictures(model, evaluation, await loadGraphviz())
  const {concepts} = model.certificate.noise
  return renderReport({
    title,
    model,
    pictures,
    evaluation,
    diagnosis: await diagnose(counts, {rates: concepts}),
    provenance: [
      ['model', 'model.json'],
      ['counts', 'train.counts'],
      ['evaluated on', 'heldout.jsonl']
    ]
  })
}

/** Documents for word weights; their tags are not used. */
async function trainingSample(counts: Counts, path: string): Promise<Corpus> {
  const rows: Row[] = []
  for await (const batch of openDocuments([path], counts.lexicon.reading).batches()) rows.push(...batch)
  const {lexicon, documents} = encodeCorpus(rows, counts.lexicon)
  const sampled = documents.filter(createSampleFilter(counts, undefined, 0))
  return {lexicon, documents: sampled.map(document => ({...document, labels: undefined}))}
}

interface DemoRow {
  readonly id: string | number | undefined
  readonly text: ReadonlyMap<string, string>
  readonly features: readonly string[]
}

async function learnOracle(model: Model, path: string, onStep: OnStep): Promise<Model> {
  onStep('learning an oracle from the true tags, for comparison')
  const trainer = new OracleTrainer(model)
  await eachTagged(model, path, async (_, evidence, labels) => trainer.add(evidence, labels))
  return trainer.finish()
}

async function eachTagged(
  model: Model,
  path: string,
  visit: (row: DemoRow, evidence: Evidence, labels: Int8Array) => Promise<void>
): Promise<void> {
  const encoder = createEncoder(model.lexicon)
  for await (const batch of openDocuments([path], model.lexicon.reading).batches())
    for (const row of batch) {
      const labels = encoder.labels(row)
      if (labels !== undefined && encoder.accepts(row)) await visit(row, encoder.encode(row), labels)
    }
}

function describeExample(model: Model, row: DemoRow, labels: Int8Array, probabilities: Float64Array): DemoExample {
  const order = [...probabilities.keys()].sort((a, b) => probabilities[b] - probabilities[a])
  return {
    id: String(row.id),
    text: row.text.size > 0 ? [...row.text.values()].join(': ') : row.features.join(', '),
    tags: model.concepts.filter((_, i) => labels[i] === 1).map(({name}) => name),
    predicted: order.slice(0, 5).map(i => ({name: model.concepts[i].name, probability: probabilities[i]}))
  }
}

/** A file of the package's `corpora` folder, for source and built programs. */
export function corpusPath(name: string): string {
  for (const up of ['../corpora/', '../../../corpora/']) {
    const path = fileURLToPath(new URL(up + name, import.meta.url))
    if (existsSync(path)) return path
  }
  throw new Error(`internal error: the embedded corpus ${name} is missing`)
}
