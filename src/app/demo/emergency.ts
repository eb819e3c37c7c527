import {join} from 'node:path'
import {rng} from '../../base/numeric/index.ts'
import {anchorsWithRates} from '../../learn/model/index.ts'
import {anchorsToJson} from '../../read/data/index.ts'
import {makeFolder, writeAtomically} from '../../read/files/index.ts'
import {emergencyModel, generateDocuments} from '../../use/synthetic/index.ts'
import type {DemoPlan} from './plan.ts'

const TRAINING_DOCUMENTS = 20_000
const HELD_OUT_DOCUMENTS = 5_000

/**
 * The synthetic emergency department: 23 conditions, documents drawn from a known model, anchors with their true rates.
 * The true model is shown beside every estimate, and serves as the oracle in the evaluation.
 */
export async function drawVisits(directory: string, seed: number): Promise<DemoPlan> {
  await makeFolder(directory)
  const truth = emergencyModel()
  const random = rng(seed).stream('documents')
  const write = async (name: string, first: number, count: number) => {
    const rows = generateDocuments(truth, count, random, {first})
    await writeAtomically(join(directory, name), `${Array.from(rows, row => JSON.stringify(row)).join('\n')}\n`)
  }
  await write('train.jsonl', 0, TRAINING_DOCUMENTS)
  await write('heldout.jsonl', TRAINING_DOCUMENTS, HELD_OUT_DOCUMENTS)
  const anchors = join(directory, 'anchors.json')
  await writeAtomically(anchors, `${JSON.stringify(anchorsToJson(anchorsWithRates(truth)), null, 2)}\n`)
  return {title: 'A synthetic emergency department', reading: {anchors}, fitting: {}, truth}
}
