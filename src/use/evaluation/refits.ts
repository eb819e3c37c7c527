import {AdfaError} from '../../base/checks/index.ts'
import {isPairNetwork} from '../../base/network/index.ts'
import {fit} from '../../learn/fit.ts'
import {anchorsWithRates, type Model} from '../../learn/model/index.ts'
import type {FitOptions} from '../../learn/options.ts'
import {Counter, countCorpus} from '../../read/counts/index.ts'
import type {CorpusDocument, Evidence} from '../../read/data/index.ts'
import {anchorsInNetwork, type Baseline, trainBaselines, trainCeiling, trainVoteBaselines} from '../baselines/index.ts'
import {createPredictor, type Predictor} from '../prediction/index.ts'

/** A rate of exactly 0 or 1 is refused; this far from it, moments differ from counting by less than 1e-8. */
const NEARLY_NEVER = 1e-9

/**
 * Oracle MoM (Section 5.4): the same learner on the true tags of the training documents, as if every concept were its own
 * perfect anchor. It shows the cost of not seeing the tags; predictions use anchors with `model`'s rates.
 */
export class OracleTrainer {
  readonly #model: Model
  readonly #counter: Counter
  #documents = 0

  constructor(model: Model) {
    this.#model = model
    const anchors = model.concepts.map(({name}) => ({
      concept: name,
      any: [name],
      not: [],
      rates: {kind: 'rates', truePositive: 1 - NEARLY_NEVER, falsePositive: NEARLY_NEVER} as const
    }))
    this.#counter = new Counter({lexicon: {...model.lexicon, anchors}, labelShare: 0, seed: 0})
  }

  /** Adds a training document; leaves it out unless all its tags are given. */
  add(evidence: Evidence, labels: Int8Array): void {
    if (labels.includes(-1)) return
    this.#documents++
    const tags = [...labels.keys()].filter(i => labels[i] === 1)
    this.#counter.add({words: evidence.words, members: tags})
  }

  /** The oracle's network has the model's kind of structure, under the same rules, without proof that it is the best. */
  async finish(): Promise<Model> {
    if (this.#documents === 0)
      throw new AdfaError(
        'bad-document',
        'no training document has all its tags, and the oracle learns from them; give tagged documents, or leave it out'
      )
    const {concepts, lexicon} = this.#model
    const oracle = await fit(this.#counter.finish(), this.#options())
    return {
      ...oracle,
      lexicon,
      concepts: oracle.concepts.map((concept, i) => ({
        ...concept,
        truePositive: concepts[i].truePositive,
        falsePositive: concepts[i].falsePositive
      }))
    }
  }

  #options(): FitOptions {
    const {network, certificate} = this.#model
    const kept = ['preset', 'network', 'edges']
    // A custom search is not available here, but its graph is.
    const isCustom = (certificate.structure as {method?: string} | undefined)?.method === 'custom'
    const common = {noise: 'given', words: 'noisy-or', wordShrinkage: '10/N'} as const
    const same = keptOptions(this.#model, kept)
    if (isPairNetwork(network)) return {...same, ...common}
    const {parents} = network
    const graph = {name: 'known', find: () => parents}
    const search = {polytope: 'local', shrinkage: '10/N', search: 'greedy'} as const
    return {network: 'indegree:1', ...same, ...(isCustom && {network: graph}), ...common, ...search} as FitOptions
  }
}

/**
 * ADFA-independent (Section 5.4): the same learner, anchors, rates and words, without edges between the concepts and with
 * noisy-or words. It shows what the network of a model adds. It does not use tags.
 */
export async function fitIndependent(model: Model, documents: readonly CorpusDocument[]): Promise<Model> {
  const lexicon = {...model.lexicon, anchors: anchorsWithRates(model)}
  const same = keptOptions(model, ['preset', 'divergence', 'shrinkage', 'wordShrinkage', 'seed'])
  return fit(countCorpus({lexicon, documents}), {
    ...same,
    noise: 'given',
    network: 'independent',
    words: 'noisy-or'
  })
}

/** The model's fit options of these names, for a fit to compare with it; `fit` checks the values. */
function keptOptions({options}: Model, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter(name => name in options).map(name => [name, options[name]]))
}

export type TrainedKind = 'baselines' | 'baselines of votes' | 'ceilings'

/** What is trained, and how many of its classifiers are there. */
export type OnTrained = (what: TrainedKind, done: number, all: number) => void

/** A concept that a classifier could not learn, and why. */
export interface Untrained {
  readonly from: 'anchors' | 'tags'
  readonly concept: string
  readonly reason: string
}

/** Baselines that learn from anchors, then upper bounds that learn from true tags, in steps that take long. */
export async function* comparisonSteps(
  model: Model,
  documents: readonly CorpusDocument[],
  seed: number,
  onTrained: OnTrained = () => {}
): AsyncGenerator<{readonly methods: Readonly<Record<string, Predictor>>; readonly untrained: readonly Untrained[]}> {
  const {concepts, lexicon, network} = model
  const corpus = {lexicon, documents}
  const telling = (what: TrainedKind) => ({onProgress: (done: number, all: number) => onTrained(what, done, all)})
  const untrained = (from: Untrained['from'], {certificate}: Baseline) =>
    (certificate.untrained ?? []).map(one => ({from, ...one}))
  const independent = createPredictor(await fitIndependent(model, documents))
  yield {methods: {'anchors-network': anchorsInNetwork(corpus, concepts, network), independent}, untrained: []}
  const baselines = trainBaselines(corpus, concepts, {seed}, telling('baselines'))
  const votes = trainVoteBaselines(corpus, concepts, {seed}, telling('baselines of votes'))
  yield {methods: {...baselines, ...votes}, untrained: untrained('anchors', baselines['anchor-label'])}
  const ceilings = trainCeiling(corpus, concepts, {seed}, telling('ceilings'))
  yield {methods: ceilings, untrained: untrained('tags', ceilings.supervised)}
}
