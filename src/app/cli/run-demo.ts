import {existsSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {gunzipSync} from 'node:zlib'
import {Command} from 'commander'
import {hashShare, rng} from '../../base/numeric/index.ts'
import type {LearnedModel} from '../../learn/learn.ts'
import {anchorsWithRates, type Model, saveModel} from '../../learn/model/index.ts'
import {type Counts, countsToBytes} from '../../read/counts/index.ts'
import {anchorsToJson} from '../../read/data/index.ts'
import {makeFolder, writeAtomically} from '../../read/files/index.ts'
import {diagnose} from '../../use/advice/index.ts'
import type {Evaluation} from '../../use/evaluation/index.ts'
import {emergencyModel, generateDocuments} from '../../use/synthetic/index.ts'
import {learnModel} from '../pipeline/index.ts'
import {inputOptions} from './common-options.ts'
import {addOptions} from './declare.ts'
import {drawnReport} from './drawn-report.ts'
import {evaluateDocuments} from './evaluate/documents.ts'
import {learnControl, taskOf} from './learning.ts'
import type {Output} from './output.ts'
import {openToPredict, predictFiles} from './predict-files.ts'
import {type InputOptions, readInput} from './read-input.ts'

export type DemoName = 'npm' | 'emergency'

export interface Demo {
  readonly model: LearnedModel
  readonly counts: Counts
  readonly evaluation: Evaluation
  readonly files: readonly string[]
}

const FILES = ['train.jsonl', 'heldout.jsonl', 'train.counts', 'model.json', 'predictions.jsonl', 'report.html']

/** Counts, fits, predicts, evaluates and reports in a folder, as the commands of these names do. */
export async function runDemo(name: DemoName, folder: string, seed: number, output: Output): Promise<Demo> {
  const at = (file: string) => join(folder, file)
  const [train, heldout, predictions] = ['train.jsonl', 'heldout.jsonl', 'predictions.jsonl'].map(at)
  output.progress('writing the documents')
  await makeFolder(folder)
  const {title, reading, noise, compared, own = []} = await (name === 'npm' ? writePackages(at) : drawVisits(at, seed))
  const command = addOptions(new Command(), inputOptions)
  const options: InputOptions = {...command.opts(), ...reading, draws: true}
  const input = await readInput({paths: [train], options, command, output})
  const {counts} = input
  await writeAtomically(at('train.counts'), countsToBytes(counts))
  const task = taskOf(input, {...(noise && {noise}), skipBadAnchors: reading.skipBadAnchors ?? false, seed})
  // As in the paper, tags give the rates of anchors and nothing else.
  const sample = task.sample?.map(document => ({...document, labels: undefined}))
  const model = await learnModel({...task, sample}, learnControl(output))
  await writeAtomically(at('model.json'), saveModel(model))
  const {evaluation} = await evaluateDocuments(model, [heldout], {...compared, seed}, output)
  const predicting = {output: predictions, method: 'auto', words: 'model', rule: undefined} as const
  await predictFiles(model, openToPredict(model, [heldout], predicting, output), predicting, output)
  const diagnosis = await diagnose(counts, {rates: model.certificate.noise.concepts})
  const provenance: [string, string][] = [
    ['model', 'model.json'],
    ['counts', 'train.counts'],
    ['evaluated on', 'heldout.jsonl']
  ]
  const page = await drawnReport({title, model, diagnosis, evaluation, provenance}, output)
  await writeAtomically(at('report.html'), page)
  return {model, counts, evaluation, files: [...FILES, ...own].map(at)}
}

/** How the written documents are read and learned from, and what the model is compared with. */
interface Plan {
  readonly title: string
  readonly reading: Partial<
    Pick<InputOptions, 'anchors' | 'anchorsFromTags' | 'topTags' | 'labelShare' | 'skipBadAnchors'>
  >
  readonly noise?: 'labels'
  readonly compared: {readonly train?: readonly string[]; readonly oracle?: Model}
  /** Files of this demo alone. */
  readonly own?: readonly string[]
}

const HELD_OUT_SHARE = 0.2

/**
 * The embedded corpus of npm packages: the 50 most frequent keywords are the hidden concepts, and the anchor of a keyword is its
 * own name in a package's name or description. The rates of anchors come from training tags.
 */
async function writePackages(at: (name: string) => string): Promise<Plan> {
  const lines = gunzipSync(await readFile(corpusPath('npm-packages.jsonl.gz')))
    .toString()
    .trimEnd()
    .split('\n')
  const isHeldOut = (line: string) => hashShare((JSON.parse(line) as {id: string}).id) < HELD_OUT_SHARE
  await writeLines(
    at('train.jsonl'),
    lines.filter(line => !isHeldOut(line))
  )
  await writeLines(at('heldout.jsonl'), lines.filter(isHeldOut))
  return {
    title: 'npm packages',
    reading: {anchorsFromTags: ['title', 'text'], topTags: 50, labelShare: 1, skipBadAnchors: true},
    noise: 'labels',
    compared: {train: [at('train.jsonl')]}
  }
}

/** A file of the package's `corpora` folder, for source and built programs. */
export function corpusPath(name: string): string {
  const paths = ['../corpora/', '../../../corpora/'].map(up => fileURLToPath(new URL(up + name, import.meta.url)))
  const found = paths.find(path => existsSync(path))
  if (found === undefined) throw new Error(`internal error: the embedded corpus ${name} is missing`)
  return found
}

const VISITS = {'train.jsonl': 20_000, 'heldout.jsonl': 5_000}

/** The synthetic emergency department: documents drawn from a known model, which is compared with, and anchors with true rates. */
async function drawVisits(at: (name: string) => string, seed: number): Promise<Plan> {
  const oracle = emergencyModel()
  const random = rng(seed).stream('documents')
  let first = 0
  for (const [name, count] of Object.entries(VISITS)) {
    const rows = generateDocuments(oracle, count, random, {first})
    await writeLines(
      at(name),
      Array.from(rows, row => JSON.stringify(row))
    )
    first += count
  }
  const anchors = at('anchors.json')
  await writeAtomically(anchors, `${JSON.stringify(anchorsToJson(anchorsWithRates(oracle)), null, 2)}\n`)
  return {title: 'A synthetic emergency department', reading: {anchors}, compared: {oracle}, own: ['anchors.json']}
}

function writeLines(path: string, lines: readonly string[]): Promise<void> {
  return writeAtomically(path, `${lines.join('\n')}\n`)
}
