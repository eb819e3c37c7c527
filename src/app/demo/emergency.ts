import {join} from 'node:path'
import type {BayesNetwork} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {grouped} from '../../base/text/index.ts'
import {anchorsWithRates, type Model} from '../../learn/model/index.ts'
import {anchorsToJson, parseAnchors} from '../../read/data/index.ts'
import {makeFolder, writeAtomically} from '../../read/files/index.ts'
import {emergencyModel, generateDocuments} from '../../use/synthetic/index.ts'
import {type Demo, type OnStep, runPipeline} from './pipeline.ts'

const TRAINING_DOCUMENTS = 20_000
const HELD_OUT_DOCUMENTS = 5_000

export interface EmergencyDemo extends Demo {
  /** The model that generated the documents. */
  readonly truth: Model<BayesNetwork>
}

/**
 * The synthetic emergency department: 23 conditions, documents drawn from a known model, anchors with their true rates.
 * The true model is shown beside every estimate, and serves as the oracle in the evaluation.
 */
export async function runEmergencyDemo(directory: string, seed: number, onStep: OnStep): Promise<EmergencyDemo> {
  onStep(`drawing ${grouped(TRAINING_DOCUMENTS + HELD_OUT_DOCUMENTS)} visits from the known model`)
  await makeFolder(directory)
  const truth = emergencyModel()
  const random = rng(seed).stream('documents')
  const write = async (name: string, first: number, count: number) => {
    const rows = generateDocuments(truth, count, random, {first})
    await writeAtomically(join(directory, name), `${Array.from(rows, row => JSON.stringify(row)).join('\n')}\n`)
  }
  await write('train.jsonl', 0, TRAINING_DOCUMENTS)
  await write('heldout.jsonl', TRAINING_DOCUMENTS, HELD_OUT_DOCUMENTS)
  const json = `${JSON.stringify(anchorsToJson(anchorsWithRates(truth)), null, 2)}\n`
  const anchorsFile = join(directory, 'anchors.json')
  await writeAtomically(anchorsFile, json)
  const demo = await runPipeline(
    {
      title: 'A synthetic emergency department',
      directory,
      anchors: {kind: 'given', anchors: parseAnchors(json, anchorsFile)},
      counting: {},
      fitting: {seed},
      oracle: truth
    },
    onStep
  )
  return {...demo, truth, files: [...demo.files, anchorsFile]}
}
