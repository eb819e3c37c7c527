import {
  AdfaError,
  anchorsWithRates,
  bicScores,
  type ConceptTables,
  type Counts,
  countsFromBytes,
  estimateNoise,
  fitChoices,
  loadLinearSolver,
  type Model,
  parsePull,
  recoverMoments,
  recoverTable,
  writeScores
} from '../index.ts'
import {readBinaryFile} from '../node.ts'
import {networkScores} from '../structure/index.ts'
import type {Output} from './output.ts'

interface ScoreSource {
  /** What errors call the model. */
  readonly path: string
  /** A counts file; without one the scores are those of the model's own network. */
  readonly counts: string | undefined
  readonly maxParents: number
}

/** A GOBNILP score file: BIC of every family of at most `maxParents` parents, less those that a smaller one beats. */
export async function exportScores(
  model: Model,
  {path, counts: file, maxParents}: ScoreSource,
  output: Output
): Promise<string> {
  const names = model.latents.map(({name}) => name)
  const {penalty} = model.options
  const options = {maxParents, ...(typeof penalty === 'number' && {penalty})}
  if (file === undefined) {
    const {documents} = model.options
    if (typeof documents !== 'number')
      throw new AdfaError(
        'bad-model',
        `${path}: does not say how many documents it was learned from, which BIC needs; give them with --counts`
      )
    output.note(`scores of the network itself, as ${documents} documents with exactly its shares would give them`)
    return writeScores({names, scores: networkScores(model.network, documents, options)})
  }
  const counts = withRatesOf(model, countsFromBytes(await readBinaryFile(file), file), file)
  const tables = await recoveredTables(model, counts, maxParents, path)
  output.note(`scores of moments recovered from the ${counts.documentCount} documents of ${file}`)
  return writeScores({names, scores: bicScores(tables, names.length, counts.documentCount, options)})
}

/** The counts with the noise rates of the model, which must be of the same anchors. */
function withRatesOf(model: Model, counts: Counts, file: string): Counts {
  const anchors = anchorsWithRates(model)
  const described = (list: typeof anchors) => JSON.stringify(list.map(({concept, any, not}) => [concept, any, not]))
  if (described(anchors) !== described(counts.lexicon.anchors))
    throw new AdfaError(
      'mismatch',
      `${file}: its anchors are not those of the model; give the counts the model was learned from, or count with --like the model`
    )
  return {...counts, lexicon: {...counts.lexicon, anchors}}
}

/** Tables recovered as the fit did, of as many concepts as the families need. */
async function recoveredTables(
  {options, seed}: Model,
  counts: Counts,
  maxParents: number,
  path: string
): Promise<ConceptTables> {
  const kept = {
    polytope: chosen(options, 'polytope', path),
    divergence: chosen(options, 'divergence', path),
    solver: chosen(options, 'solver', path),
    pull: parsePull(String(options.pull)),
    gap: typeof options.gap === 'number' ? options.gap : undefined,
    timeLimit: typeof options.timeLimit === 'number' ? options.timeLimit : undefined,
    seed
  }
  const {pull, divergence, polytope, solver} = kept
  const noise = estimateNoise(counts, 'given')
  // The cycle polytope is one of pairs, and none goes past triples.
  const order = maxParents < 2 || polytope === 'cycle' ? 2 : 3
  const clock = () => performance.now() / 1000
  const control = solver === 'newton' ? {clock} : {clock, linearSolver: await loadLinearSolver()}
  const moments = recoverMoments(counts, noise, {order, ...kept}, control)
  return concepts =>
    concepts.length <= order
      ? moments.table(concepts)
      : recoverTable(counts, noise, {latents: concepts}, {pull, divergence}).mu
}

/** An option of the fit that is one of a few. */
function chosen<Name extends 'polytope' | 'divergence' | 'solver'>(
  options: Model['options'],
  name: Name,
  path: string
): (typeof fitChoices)[Name][number] {
  const choices: readonly (typeof fitChoices)[Name][number][] = fitChoices[name]
  const found = choices.find(choice => choice === options[name])
  if (found === undefined)
    throw new AdfaError(
      'bad-model',
      `${path}: its options do not say which ${name} it was learned with (${choices.join(', ')}); fit it again, or leave out --counts`
    )
  return found
}
