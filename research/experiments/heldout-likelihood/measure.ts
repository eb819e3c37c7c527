import {AdfaError} from '../../../src/base/checks/index.ts'
import {type BayesNetwork, createLogPrior, type Network, sampleNetwork} from '../../../src/base/network/index.ts'
import {type Rng, rng} from '../../../src/base/numeric/index.ts'
import {
  type Moments,
  type PolytopeName,
  parseShrinkage,
  recoverMoments,
  type Shrinkage,
  type SolveStatus
} from '../../../src/learn/moments/index.ts'
import {estimateNoise} from '../../../src/learn/noise/index.ts'
import {learnPairs} from '../../../src/learn/robust/index.ts'
import {learnStructure} from '../../../src/learn/structure/index.ts'
import {type Counts, countCorpus} from '../../../src/read/counts/index.ts'
import {type Anchors, type CorpusDocument, textDefaults} from '../../../src/read/data/index.ts'
import {type Run, significant} from '../experiment.ts'
import type {Material} from '../material.ts'
import {splitMaterial} from '../split.ts'
import {differenceOf, spreadOf} from '../spread.ts'

/** From loose to tight. */
export const polytopes = ['simplex', 'local', 'cycle', 'marginal'] as const satisfies readonly PolytopeName[]
export type LikelihoodMethod = (typeof polytopes)[number] | 'pairs' | 'oracle-tree' | 'oracle-independent'

export type LikelihoodCell = {
  /** Generated documents are drawn from a tree learned from the real ones. */
  readonly data: 'real' | 'generated'
  readonly shrinkage: string
  readonly split: number
  readonly seed: number
  readonly size: number
  readonly gap?: number
}

export type MethodResult = {
  /** Mean log P(tags) of a held-out document, in nats. */
  readonly logLikelihood: number
  /** The standard error of the constant of P(tags), which many concepts have only by sampling; 0 where it is exact. */
  readonly constantError: number
  /** Of the moments, with the certified gap. */
  readonly objective: number
  readonly gap: number
  readonly status: SolveStatus
  readonly steps: number
}

export type LikelihoodResult = {
  readonly training: number
  readonly heldOut: number
  readonly methods: {readonly [Method in LikelihoodMethod]: MethodResult}
}

interface Setting extends Pick<LikelihoodCell, 'gap'> {
  readonly anchors: Anchors
  readonly shrinkage: Shrinkage
  readonly training: readonly TagDocument[]
  readonly heldOut: readonly TagDocument[]
}

/** Steps for 50 concepts, more than most recoveries take; the cost of one grows with the square of the concepts. */
const STEP_LIMIT = 400
const STEP_LIMIT_CONCEPTS = 50

/**
 * The held-out log-likelihood of the tags (Section 5.3.1) under the tree from the moments of each polytope, under the
 * network of pairs that is the default here, and under the trees of the oracles, all learned from the same `size` documents. It stops by gaps and steps, so results are the same everywhere.
 */
export async function measureLikelihood(
  material: Material,
  {data, shrinkage, seed, size, gap}: LikelihoodCell
): Promise<LikelihoodResult> {
  const {training, heldOut} = splitMaterial(material, seed)
  const real: Setting = {
    ...(gap && {gap}),
    anchors: training.lexicon.anchors,
    shrinkage: parseShrinkage(shrinkage),
    training: training.documents.map(tagDocument),
    heldOut: fullyTagged(heldOut.documents.map(tagDocument))
  }
  const all = data === 'real' ? real : await generatedLike(real, seed)
  const setting = {...all, training: all.training.slice(0, size)}
  const learned = async (polytope: PolytopeName) => {
    const moments = await momentsOf(setting, polytope)
    return scored(setting, moments.certificate, await treeOf(moments))
  }
  return {
    training: setting.training.length,
    heldOut: setting.heldOut.length,
    methods: {
      simplex: await learned('simplex'),
      local: await learned('local'),
      cycle: await learned('cycle'),
      marginal: await learned('marginal'),
      pairs: pairsOf(setting),
      ...(await measureOracles(setting))
    }
  }
}

/** As many documents, drawn from the tree of the marginal polytope for all training documents: every assumption holds. */
async function generatedLike(setting: Setting, seed: number): Promise<Setting> {
  const {anchors, training, heldOut} = setting
  const network = await treeOf(await momentsOf(setting, 'marginal'))
  const random = rng(seed).stream('heldout-likelihood')
  const drawn = drawDocuments(network, anchors, training.length + heldOut.length, random)
  return {...setting, training: drawn.slice(0, training.length), heldOut: drawn.slice(training.length)}
}

function countsOf({anchors, training}: Setting): Counts {
  return anchorCounts(
    anchors,
    training.map(({fired}) => fired)
  )
}

/** As `robust` learns it: false anchors are taken for related concepts. */
function pairsOf(setting: Setting): MethodResult {
  const counts = countsOf(setting)
  const {network, moments} = learnPairs(counts, estimateNoise(counts, 'given'), 'related')
  return scored(setting, moments, network)
}

async function momentsOf(setting: Setting, polytope: PolytopeName): Promise<Moments> {
  const {anchors, shrinkage, gap} = setting
  const counts = countsOf(setting)
  const limits = polytope === 'marginal' ? {stepLimit: marginalStepLimit(anchors.length)} : {}
  return recoverMoments(counts, estimateNoise(counts, 'given'), {polytope, shrinkage, gap, ...limits})
}

/** Limits a recovery to seconds, and is the same everywhere. */
export function marginalStepLimit(concepts: number): number {
  return Math.round(STEP_LIMIT * Math.min(1, STEP_LIMIT_CONCEPTS / concepts) ** 2)
}

async function treeOf(moments: Moments): Promise<BayesNetwork> {
  return (await learnStructure(moments, 'tree')).network
}

/**
 * The same learner on the true tags, each its own perfect anchor. The shrinkage then mixes in lambda N documents with
 * independent tags.
 */
async function measureOracles(setting: Setting): Promise<Record<'oracle-tree' | 'oracle-independent', MethodResult>> {
  const rates = {kind: 'rates', truePositive: 1 - 1e-9, falsePositive: 1e-9} as const
  const counts = anchorCounts(
    setting.anchors.map(anchor => ({...anchor, rates})),
    fullyTagged(setting.training).map(({labels}) => setting.anchors.flatMap((_, i) => (labels[i] === 1 ? [i] : [])))
  )
  const moments = await recoverMoments(counts, estimateNoise(counts, 'given'), {
    polytope: 'simplex',
    shrinkage: setting.shrinkage
  })
  return {
    'oracle-tree': scored(setting, moments.certificate, await treeOf(moments)),
    'oracle-independent': scored(setting, moments.certificate, (await learnStructure(moments, 'independent')).network)
  }
}

function scored({heldOut}: Setting, certificate: Moments['certificate'], network: Network): MethodResult {
  const {objective, gap, status, steps} = certificate
  const {mean, constantError} = meanLogLikelihood(network, heldOut)
  return {
    logLikelihood: significant(mean),
    constantError: significant(constantError),
    objective: significant(objective),
    gap: significant(gap),
    status,
    steps
  }
}

/** The tags and anchors of a document, without its words. */
interface TagDocument {
  /** Concepts whose anchors fired, ascending. */
  readonly fired: readonly number[]
  /** Of each concept: 1 present, 0 absent, -1 unknown. */
  readonly labels: ArrayLike<number>
}

export function tagDocument({anchors, labels}: CorpusDocument): TagDocument {
  if (labels === undefined) throw new Error('internal error: a document without tags')
  return {fired: anchors, labels}
}

/** The documents whose every concept is known, as log P(tags) requires. */
export function fullyTagged(documents: readonly TagDocument[]): readonly TagDocument[] {
  return documents.filter(({labels}) => Array.from(labels).every(value => value >= 0))
}

/** Documents with tags drawn from `network` and anchors drawn from their rates. */
export function drawDocuments(network: BayesNetwork, anchors: Anchors, count: number, random: Rng): TagDocument[] {
  const m = anchors.length
  const rates = anchors.map(anchor => {
    if (anchor.rates?.kind !== 'rates') throw new Error(`internal error: no rates of "${anchor.concept}"`)
    return anchor.rates
  })
  const tags = sampleNetwork(network, count, random.stream('tags'))
  const firing = random.stream('anchors')
  return Array.from({length: count}, (_, at) => {
    const labels = tags.subarray(at * m, (at + 1) * m)
    const fired = rates.flatMap(({truePositive, falsePositive}, i) =>
      firing.next() < (labels[i] ? truePositive : falsePositive) ? [i] : []
    )
    return {fired, labels}
  })
}

/** Counts of anchors alone, one feature per concept. */
export function anchorCounts(anchors: Anchors, fired: readonly (readonly number[])[]): Counts {
  const plain = anchors.map(anchor => ({...anchor, any: [anchor.concept], not: []}))
  const lexicon = {anchors: plain, words: [], phrases: [], text: textDefaults, filter: undefined, skipped: []}
  const documents = fired.map((list, at) => ({
    key: String(at),
    words: [],
    anchors: list,
    members: list,
    labels: undefined
  }))
  return countCorpus({lexicon, documents})
}

/** Mean log P(tags) in nats, and the standard error of the constant of P(tags). */
export function meanLogLikelihood(
  network: Network,
  documents: readonly TagDocument[]
): {readonly mean: number; readonly constantError: number} {
  if (documents.length === 0)
    throw new AdfaError(
      'bad-document',
      'no held-out document has a known value for every concept; the likelihood of tags needs completely tagged documents; give more of them'
    )
  const prior = createLogPrior(network)
  const sum = documents.reduce((total, {labels}) => total + prior.of(labels), 0)
  return {mean: sum / documents.length, constantError: prior.standardError}
}

export type LikelihoodRun = Run<LikelihoodCell, LikelihoodResult>

/** The splits of one training size, with one shrinkage, on one kind of documents. */
export type LikelihoodGroup = ReturnType<typeof groupOf>

/** By ascending size; the last has all training documents. */
export function groupsOf(
  runs: readonly LikelihoodRun[],
  {shrinkage, data}: Pick<LikelihoodCell, 'shrinkage' | 'data'>
): LikelihoodGroup[] {
  const some = runs.filter(({cell}) => cell.shrinkage === shrinkage && cell.data === data)
  const sizes = [...new Set(some.map(({cell}) => cell.size))].sort((a, b) => a - b)
  const ofSize = (size: number) => some.filter(({cell}) => cell.size === size)
  return sizes.map(size => groupOf(size, ofSize(size)))
}

function groupOf(size: number, unordered: readonly LikelihoodRun[]) {
  const runs = unordered.toSorted((a, b) => a.cell.split - b.cell.split)
  const results = (method: LikelihoodMethod) => runs.map(({result}) => result.methods[method])
  /** Log-likelihoods, in the order of the splits. */
  const values = (method: LikelihoodMethod) => results(method).map(({logLikelihood}) => logLikelihood)
  return {
    size,
    runs,
    results,
    values,
    spread: (method: LikelihoodMethod) => spreadOf(values(method)),
    /** How much better `one` is than `other`, in nats per document. */
    difference: (one: LikelihoodMethod, other: LikelihoodMethod) => differenceOf(values(one), values(other))
  }
}
