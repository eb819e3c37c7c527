import {AdfaError} from '../../../base/checks/index.ts'
import {type ConceptTables, directedNetwork, isPairNetwork, networkTables} from '../../../base/network/index.ts'
import {counted} from '../../../base/text/index.ts'
import type {Model} from '../../../learn/model/index.ts'
import {anchorsWithRates} from '../../../learn/model/index.ts'
import {recoverMoments} from '../../../learn/moments/index.ts'
import {estimateNoise} from '../../../learn/noise/index.ts'
import {checkFitOptions, type FitOptions, type Preset} from '../../../learn/presets.ts'
import {bicScores, parameterCount, writeScores} from '../../../learn/structure/index.ts'
import {type Counts, dropConcepts} from '../../../read/counts/index.ts'
import type {Output} from '../output.ts'
import {readCounts} from '../read-input.ts'

interface ScoreSource {
  /** The model file, for errors. */
  readonly path: string
  /** A counts file; without one, the network of the model is scored. */
  readonly counts: string | undefined
  readonly maxParents: number
}

/** A GOBNILP score file: the score of every family of at most `maxParents` parents, except those beaten by a smaller one. */
export async function exportScores(
  model: Model,
  {path, counts: file, maxParents}: ScoreSource,
  output: Output
): Promise<string> {
  const {documents, ...options} = optionsOfFit(model, path)
  const names = model.concepts.map(({name}) => name)
  const scored = (table: ConceptTables, sampleCount: number) => {
    const parameters = parameterCount(options.score, table, model.concepts, sampleCount)
    const scores = bicScores(table, names.length, sampleCount, {maxParents, penalty: options.penalty, parameters})
    return writeScores({names, scores})
  }
  if (file === undefined) {
    const network = isPairNetwork(model.network)
      ? 'a directed network near the pairs of the model'
      : 'the network itself'
    output.note(`scores of ${network}, for ${counted(documents, 'document')} distributed exactly as in it`)
    return scored(networkTables(directedNetwork(model.network)), documents)
  }
  const counts = withRatesOf(model, await readCounts(file), file)
  output.note(`scores of moments recovered from the ${counted(counts.documentCount, 'document')} of ${file}`)
  return scored(await recoveredTables(options, counts), counts.documentCount)
}

/** The options a model was learned with, those without effect on it as in its preset; other models cannot be scored. */
function optionsOfFit(model: Model, path: string): FitOptions & {readonly documents: number} {
  const {preset, documents, labelShare: _, ...given} = model.options
  if (typeof documents !== 'number')
    throw new AdfaError(
      'bad-model',
      `${path}: does not record the number of documents it was learned from, which scores need; give a model written by adfa fit`
    )
  return {...checkFitOptions(preset as Preset, given), documents}
}

/** The counts with the rates of the model; the anchors must agree, except those left out of the model. */
function withRatesOf(model: Model, counts: Counts, file: string): Counts {
  const skipped = new Set(model.lexicon.skipped.map(({concept}) => concept))
  const gone = counts.lexicon.anchors.filter(({concept}) => skipped.has(concept))
  const left =
    gone.length === 0
      ? counts
      : dropConcepts(
          counts,
          gone.map(({concept}) => ({concept, reason: 'left out'}))
        )
  const anchors = anchorsWithRates(model)
  const described = (list: typeof anchors) => JSON.stringify(list.map(({concept, any, not}) => [concept, any, not]))
  if (described(anchors) !== described(left.lexicon.anchors))
    throw new AdfaError(
      'mismatch',
      `${file}: its anchors are not those of the model; give the counts the model was learned from, or count with --like and the model`
    )
  return {...left, lexicon: {...left.lexicon, anchors}}
}

/** Recovers tables as in the fit. */
async function recoveredTables(options: FitOptions, counts: Counts): Promise<ConceptTables> {
  const {polytope, divergence, solver, shrinkage, gap, timeLimit, seed} = options
  const recovery = {polytope, divergence, solver, shrinkage, gap, timeLimit, seed}
  const control = {clock: () => performance.now() / 1000}
  return (await recoverMoments(counts, estimateNoise(counts, 'given'), recovery, control)).table
}
