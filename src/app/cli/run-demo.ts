import {join} from 'node:path'
import {Command} from 'commander'
import type {BayesNetwork} from '../../base/network/index.ts'
import {createInference} from '../../learn/inference/index.ts'
import {type LearnedModel, learnFromCounts} from '../../learn/learn.ts'
import {type Model, saveModel} from '../../learn/model/index.ts'
import {type Counts, countsToBytes} from '../../read/counts/index.ts'
import {Encoder, type Row, type Corpus as Sample} from '../../read/data/index.ts'
import {openDocuments, writeAtomically} from '../../read/files/index.ts'
import {diagnose} from '../../use/advice/index.ts'
import type {Evaluation} from '../../use/evaluation/index.ts'
import {drawVisits, writePackages} from '../demo/index.ts'
import {inputOptions} from './common-options.ts'
import {addOptions} from './declare.ts'
import {drawnReport} from './drawn-report.ts'
import {evaluateDocuments} from './evaluate/documents.ts'
import type {Output} from './output.ts'
import {openToPredict, predictFiles} from './predict-files.ts'
import {type InputOptions, readInput, sampleDocuments} from './read-input.ts'

export interface Demo {
  readonly model: LearnedModel
  readonly counts: Counts
  readonly evaluation: Evaluation
  readonly examples: readonly DemoExample[]
  readonly files: readonly string[]
  /** The model that generated the documents, if it is known. */
  readonly truth: Model<BayesNetwork> | undefined
}

/** A held-out document and its prediction. */
interface DemoExample {
  readonly id: string
  readonly text: string
  readonly tags: readonly string[]
  readonly predicted: readonly {readonly name: string; readonly probability: number}[]
}

export type Corpus = 'npm' | 'emergency'

const FILES = ['train.jsonl', 'heldout.jsonl', 'train.counts', 'model.json', 'predictions.jsonl', 'report.html']

/** Counts, fits, predicts, evaluates and reports in a folder, as the commands of these names do. */
export async function runDemo(corpus: Corpus, directory: string, seed: number, output: Output): Promise<Demo> {
  const path = (name: string) => join(directory, name)
  const [train, heldout] = [path('train.jsonl'), path('heldout.jsonl')]
  output.progress('writing the documents')
  const {title, reading, fitting, truth} = await (corpus === 'npm'
    ? writePackages(directory)
    : drawVisits(directory, seed))
  const command = addOptions(new Command(), inputOptions)
  const options: InputOptions = {...command.opts(), ...reading, draws: true}
  const input = await readInput({paths: [train], options, command, output})
  const {counts} = input
  await writeAtomically(path('train.counts'), countsToBytes(counts))
  const control = {onStage: (stage: string) => output.progress(`learning: ${stage}`)}
  const model = await learnFromCounts(counts, withoutTags(sampleDocuments(input)), {...fitting, seed}, control)
  await writeAtomically(path('model.json'), saveModel(model))
  const compared = truth === undefined ? {train: [train], seed} : {oracle: truth, seed}
  const {evaluation} = await evaluateDocuments(model, [heldout], compared, output)
  const predicting = {output: path('predictions.jsonl'), method: 'auto', words: 'model', rule: undefined} as const
  await predictFiles(model, openToPredict(model, [heldout], predicting, output), predicting, output)
  const diagnosis = await diagnose(counts, {rates: model.certificate.noise.concepts})
  const provenance: [string, string][] = [
    ['model', 'model.json'],
    ['counts', 'train.counts'],
    ['evaluated on', 'heldout.jsonl']
  ]
  await writeAtomically(
    path('report.html'),
    await drawnReport({title, model, diagnosis, evaluation, provenance}, output)
  )
  const files = [...FILES, ...(reading.anchors === undefined ? [] : ['anchors.json'])].map(path)
  return {model, counts, evaluation, examples: await examplesOf(model, heldout), files, truth}
}

/** As in the paper, tags give the rates of anchors and nothing else. */
function withoutTags(sample: Sample | undefined): Sample | undefined {
  return sample && {...sample, documents: sample.documents.map(document => ({...document, labels: undefined}))}
}

const EXAMPLES = 5

/** The first documents with at least two concepts, not picked by result. */
async function examplesOf(model: Model, heldout: string): Promise<DemoExample[]> {
  const encoder = new Encoder(model.lexicon)
  const inference = createInference(model)
  const isTold = (row: Row) => (encoder.labels(row)?.filter(value => value === 1).length ?? 0) >= 2
  const source = openDocuments([heldout], model.lexicon.reading)
  const rows: Row[] = []
  for await (const batch of source.batches()) {
    rows.push(...batch.filter(isTold))
    if (rows.length >= EXAMPLES) break
  }
  await source.close()
  return rows.slice(0, EXAMPLES).map(row => {
    const {probabilities} = inference.posterior(encoder.encode(row))
    const order = [...probabilities.keys()].sort((a, b) => probabilities[b] - probabilities[a])
    return {
      id: String(row.id),
      text: row.text.size > 0 ? [...row.text.values()].join(': ') : row.features.join(', '),
      tags: model.concepts.flatMap(({name}, i) => (encoder.labels(row)?.[i] === 1 ? [name] : [])),
      predicted: order.slice(0, 5).map(i => ({name: model.concepts[i].name, probability: probabilities[i]}))
    }
  })
}
