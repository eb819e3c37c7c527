import type {Evidence} from '../data/index.ts'
import type {Model} from '../model/index.ts'
import {AdfaError, log, nearestName} from '../numeric/index.ts'
import {emptyFactors, readDocument} from './document-factors.ts'
import type {Contribution} from './explain-contribution.ts'
import {playGame} from './explain-game.ts'
import {createOdds} from './explain-odds.ts'
import {absentWords, presentWords, sharedWords, type WordShare} from './explain-words.ts'
import {createInference, type Inference} from './infer.ts'
import {buildTables, type InferenceTables} from './inference-tables.ts'
import {checkInferenceOptions, type InferenceOptions} from './options.ts'
import type {KnownTags, Posterior} from './posterior.ts'

/** Why a concept is believed of a document, or not. */
export interface Explanation {
  readonly concept: string
  readonly probability: number
  /** log P(Y = 1 | document) - log P(Y = 0 | document): the sum of all contributions. */
  readonly logOdds: number
  /** In this order: prior, known tags, anchor, words that occur, words that do not, other concepts. */
  readonly contributions: readonly Contribution[]
  /** Words of the document that the concept cannot cause; they speak of other concepts alone. */
  readonly otherWords: number
  /** What is believed of all concepts. */
  readonly posterior: Posterior
}

export interface ExplainOptions extends InferenceOptions {
  readonly known: KnownTags
  /** Words that do not occur and are named one by one, at most. */
  readonly absentLimit: number
  /** Other concepts that are named one by one, at most; the work doubles with each. */
  readonly conceptLimit: number
}

/** Log-odds of small probabilities need more digits than probabilities do. */
const TOLERANCE = 1e-9
const NAMED_AT_MOST = 12

/**
 * What speaks for a concept and what against it, in log-odds that add up to those of the posterior.
 *
 * Anchor and words count as if the document said nothing of other concepts (each at its usual share); then they are one
 * sum, in any order. What is left is the other concepts: each gets the average of what it changes over every order in
 * which they could be taken into account (its Shapley value). Thus a word that fits two concepts speaks for both, and the
 * one that explains it better takes that back from the other: explaining away is a figure of its own.
 * Cost: a posterior for each figure, and at most 2m + 2^(conceptLimit + 1) for the other concepts.
 */
export function explain(
  model: Model,
  evidence: Evidence,
  concept: string,
  options: Partial<ExplainOptions> = {}
): Explanation {
  const {known, absentLimit = 5, conceptLimit = 8, ...rest} = options
  const checked = checkInferenceOptions({...rest, tolerance: Math.min(TOLERANCE, rest.tolerance ?? TOLERANCE)})
  checkExplainOptions(checked, {absentLimit, conceptLimit})
  const i = findConcept(model, concept, known)
  const inference = createInference(model, checked)
  const posterior = inference.posterior(evidence, known)
  const tags = Int8Array.from(known ?? model.latents.map(() => -1))
  const reading: Reading = {model, tables: buildTables(model), evidence, i, tags, checked, inference, posterior}
  const before = priorAndKnown(reading, conceptLimit)
  const own = ownEvidence(reading, before.usual, absentLimit)
  const start = sum(
    [...before.contributions, ...own.contributions].filter(({logOdds}) => logOdds < Number.POSITIVE_INFINITY)
  )
  const others = otherConcepts(reading, {usual: before.usual, start, limit: conceptLimit})
  const isForced = own.contributions.some(({logOdds}) => logOdds === Number.POSITIVE_INFINITY)
  return {
    concept,
    probability: posterior.probabilities[i],
    logOdds: isForced ? Number.POSITIVE_INFINITY : others.logOdds,
    contributions: [...before.contributions, ...own.contributions, ...others.contributions],
    otherWords: own.otherWords,
    posterior
  }
}

/** All that the parts of an explanation are made from. */
interface Reading {
  readonly model: Model
  readonly tables: InferenceTables
  readonly evidence: Evidence
  readonly i: number
  /** 1 present, 0 absent, -1 unknown. */
  readonly tags: Int8Array
  readonly checked: InferenceOptions
  readonly inference: Inference
  readonly posterior: Posterior
}

/** How common the concept is, and what known tags make of that; `usual` is P(Y_k = 1) of every concept given them. */
function priorAndKnown(reading: Reading, limit: number): {contributions: Contribution[]; usual: Float64Array} {
  const {model, evidence, i, tags, checked, inference} = reading
  // Without words messages are exact on nearly every network, and no number of concepts is too large for them.
  const network = createInference(model, {...checked, method: 'auto', anchors: 'hidden', words: 'hidden'})
  const noTags = tags.map(() => -1)
  const prior = network.posterior(evidence, noTags).probabilities[i]
  const usual = network.posterior(evidence, tags).probabilities
  const {shares, rest} = playGame({
    players: [...tags.keys()].filter(k => tags[k] !== -1),
    value: taking =>
      logit(
        network.posterior(
          evidence,
          tags.map((tag, k) => (taking[k] === 1 ? tag : -1))
        ).probabilities[i]
      ),
    none: logit(prior),
    all: logit(usual[i]),
    size: tags.length,
    limit
  })
  const contributions: Contribution[] = [{kind: 'prior', probability: prior, logOdds: logit(prior)}]
  for (const [k, logOdds] of shares) {
    const otherwise = inference.posterior(evidence, tags.with(k, 1 - tags[k])).probabilities[i]
    contributions.push({kind: 'known', concept: model.latents[k].name, present: tags[k] === 1, logOdds, otherwise})
  }
  if (rest.count > 0) contributions.push({kind: 'rest', of: 'known-tags', count: rest.count, logOdds: rest.share})
  return {contributions, usual}
}

/** The anchor and the words, each as if the document said nothing of other concepts. */
function ownEvidence(
  {model, tables, evidence, i, tags, checked, inference}: Reading,
  usual: Float64Array,
  absentLimit: number
): {contributions: Contribution[]; otherWords: number} {
  const contributions: Contribution[] = []
  const ifRead = (changed: Partial<Evidence>) => inference.posterior({...evidence, ...changed}, tags).probabilities[i]
  if (checked.anchors === 'used') {
    const fired = evidence.anchors.includes(i)
    const logOdds = fired ? tables.anchorOn[i] : tables.anchorOff[i]
    contributions.push({kind: 'anchor', fired, logOdds, otherwise: ifRead({anchors: toggled(evidence.anchors, i)})})
  }
  if (checked.words === 'hidden') return {contributions, otherWords: 0}
  const word = ({word: j, logOdds}: WordShare, present: boolean): Contribution => {
    const otherwise = ifRead({words: toggled(evidence.words, j)})
    return {kind: 'word', word: wordName(model, j), present, logOdds, otherwise}
  }
  const present = presentWords(tables, evidence.words, i, usual)
  const absent = absentWords(tables, evidence.words, i, absentLimit)
  contributions.push(...present.map(share => word(share, true)), ...absent.named.map(share => word(share, false)))
  const {count, logOdds} = absent.rest
  if (count > 0) contributions.push({kind: 'rest', of: 'absent-words', count, logOdds})
  return {contributions, otherWords: evidence.words.length - present.length}
}

/** What the other concepts change; `start` is the log-odds without them. */
function otherConcepts(
  {model, tables, evidence, i, tags, checked, inference, posterior}: Reading,
  {usual, start, limit}: {readonly usual: Float64Array; readonly start: number; readonly limit: number}
): {contributions: Contribution[]; logOdds: number} {
  const factors = emptyFactors(tables.latentCount)
  readDocument(factors, tables, evidence, {known: tags, use: checked})
  const method = posterior.certificate.method === 'exact' ? 'exact' : 'message-passing'
  const value = createOdds(tables, checked, {factors, concept: i, usual, method})
  const all = value(new Uint8Array(tags.length).fill(1))
  const players = [...tags.keys()].filter(k => k !== i && tags[k] === -1)
  const {shares, rest} = playGame({players, value, none: start, all, size: tags.length, limit})
  const contributions: Contribution[] = [...shares].map(([k, logOdds]) => {
    const probability = posterior.probabilities[k]
    return {
      kind: 'concept',
      concept: model.latents[k].name,
      probability,
      linked: model.network.parents[i].includes(k) || model.network.parents[k].includes(i),
      sharedWords:
        checked.words === 'hidden' ? [] : sharedWords(tables, evidence.words, i, k).map(j => wordName(model, j)),
      logOdds,
      otherwise: inference.posterior(evidence, tags.with(k, probability < 0.5 ? 1 : 0)).probabilities[i]
    }
  })
  if (rest.count > 0) contributions.push({kind: 'rest', of: 'concepts', count: rest.count, logOdds: rest.share})
  return {contributions, logOdds: all}
}

function checkExplainOptions({method}: InferenceOptions, limits: Readonly<Record<string, number>>): void {
  if (method === 'gibbs')
    throw new AdfaError(
      'bad-option',
      `an explanation compares many posteriors, which sampling is too rough for; got method 'gibbs'; use 'auto', 'exact' or 'message-passing'`
    )
  for (const [name, value] of Object.entries(limits)) {
    const most = name === 'conceptLimit' ? NAMED_AT_MOST : Number.MAX_SAFE_INTEGER
    if (!Number.isSafeInteger(value) || value < 0 || value > most)
      throw new AdfaError('bad-option', `explain option "${name}" must be a whole number, 0 to ${most}; got ${value}`)
  }
}

function findConcept({latents}: Model, concept: string, known: KnownTags | undefined): number {
  const names = latents.map(({name}) => name)
  const i = names.indexOf(concept)
  if (i === -1) {
    const nearest = nearestName(concept, names)
    const hint = nearest === undefined ? `it has ${names.join(', ')}` : `did you mean "${nearest}"?`
    throw new AdfaError('bad-option', `the model has no concept "${concept}" to explain; ${hint}`)
  }
  if (known !== undefined && known[i] !== -1)
    throw new AdfaError(
      'bad-option',
      `"${concept}" is known to be ${known[i] === 1 ? 'present' : 'absent'}, so there is nothing to explain; leave it out of the known tags`
    )
  return i
}

/** An ascending list with one number more, or without it. */
function toggled(list: readonly number[], number: number): number[] {
  const rest = list.filter(other => other !== number)
  return rest.length < list.length ? rest : [...rest, number].sort((a, b) => a - b)
}

function wordName({lexicon}: Model, j: number): string {
  return lexicon.words[j] ?? `word ${j}`
}

function logit(p: number): number {
  return log(p) - log(1 - p)
}

function sum(contributions: readonly Contribution[]): number {
  return contributions.reduce((total, {logOdds}) => total + logOdds, 0)
}
