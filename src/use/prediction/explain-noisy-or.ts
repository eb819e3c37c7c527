import {log, logit} from '../../base/numeric/index.ts'
import {buildTables, createInference, type InferenceTables, readDocument} from '../../learn/inference/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import {createOdds} from './explain-odds.ts'
import {
  type Contribution,
  conceptParts,
  labelPart,
  type Parts,
  type Reading,
  readAgain,
  shortened,
  toggled,
  totalOf,
  wordName
} from './explain-parts.ts'
import {playGame} from './explain-shapley.ts'

/**
 * An explanation by noisy-or links.
 *
 * Anchor and words count as if the document had no evidence on other concepts (each at its usual share); then they are
 * one sum, in any order. The rest is due to the other concepts: each gets its average change over every order of taking
 * them into account (its Shapley value). Thus a word that fits two concepts counts for both, and the one that explains it
 * better takes it back from the other: explaining away is a figure of its own.
 * Cost: a posterior for each figure, and at most 2m + 2^(conceptLimit + 1) for the other concepts.
 */
export function explainNoisyOr(reading: Reading): Parts {
  const tables = buildTables(reading.model)
  const before = priorAndLabels(reading)
  const own = ownEvidence(reading, tables, before.usual)
  const contributions = [...before.contributions, ...own.contributions]
  const start = totalOf(contributions.filter(({logOdds}) => logOdds < Number.POSITIVE_INFINITY))
  const others = otherConcepts(reading, tables, {usual: before.usual, start})
  const isForced = own.contributions.some(({logOdds}) => logOdds === Number.POSITIVE_INFINITY)
  return {
    contributions: [...contributions, ...others.contributions],
    logOdds: isForced ? Number.POSITIVE_INFINITY : others.logOdds,
    otherWords: own.otherWords
  }
}

/** How common the concept is, and the effect of labels; `usual` is P(Y_k = 1) of every concept given them. */
function priorAndLabels(reading: Reading): {contributions: Contribution[]; usual: Float64Array} {
  const {model, evidence, i, labels, checked, conceptLimit} = reading
  // Without words, messages are exact on nearly every network, for any number of concepts.
  const network = createInference(model, {...checked, method: 'auto', anchors: 'hidden', words: 'hidden'})
  const noLabels = labels.map(() => -1)
  const prior = network.posterior(evidence, noLabels).probabilities[i]
  const usual = network.posterior(evidence, labels).probabilities
  const {shares, rest} = playGame({
    players: [...labels.keys()].filter(k => labels[k] !== -1),
    value: taking => {
      const taken = labels.map((label, k) => (taking[k] === 1 ? label : -1))
      return logit(network.posterior(evidence, taken).probabilities[i])
    },
    none: logit(prior),
    all: logit(usual[i]),
    size: labels.length,
    limit: conceptLimit
  })
  const contributions: Contribution[] = [{kind: 'prior', probability: prior, logOdds: logit(prior)}]
  for (const [k, logOdds] of shares) contributions.push(labelPart(reading, k, logOdds))
  if (rest.count > 0) contributions.push({kind: 'rest', of: 'known-tags', count: rest.count, logOdds: rest.share})
  return {contributions, usual}
}

/** The anchor and the words, each as if the document had no evidence on other concepts. */
function ownEvidence(
  reading: Reading,
  tables: InferenceTables,
  usual: Float64Array
): {contributions: Contribution[]; otherWords: number} {
  const {model, evidence, i, checked, absentLimit} = reading
  const contributions: Contribution[] = []
  const ifRead = (changed: Partial<Evidence>) => readAgain(reading, changed)
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

/** The effect of the other concepts; `start` is the log-odds without them. */
function otherConcepts(
  reading: Reading,
  tables: InferenceTables,
  {usual, start}: {readonly usual: Float64Array; readonly start: number}
): {contributions: Contribution[]; logOdds: number} {
  const {model, evidence, i, labels, checked, posterior, conceptLimit} = reading
  const factors = readDocument(tables, evidence, checked, labels)
  const method = posterior.certificate.method === 'exact' ? 'exact' : 'message-passing'
  const value = createOdds(tables, checked, {factors, concept: i, usual, method})
  const all = value(new Uint8Array(labels.length).fill(1))
  const players = [...labels.keys()].filter(k => k !== i && labels[k] === -1)
  const {shares, rest} = playGame({players, value, none: start, all, size: labels.length, limit: conceptLimit})
  const contributions = conceptParts(reading, shares, k =>
    checked.words === 'hidden' ? [] : sharedWords(tables, evidence.words, i, k).map(j => wordName(model, j))
  )
  if (rest.count > 0) contributions.push({kind: 'rest', of: 'concepts', count: rest.count, logOdds: rest.share})
  return {contributions, logOdds: all}
}

/** The evidence of one word on a concept. */
interface WordShare {
  readonly word: number
  readonly logOdds: number
}

/**
 * Words that occur and that concept i can cause: log P(x_j = 1 | Y_i = 1) - log P(x_j = 1 | Y_i = 0), every other concept
 * at its usual share. The strongest first. Infinite when nothing else can cause the word.
 */
function presentWords(tables: InferenceTables, words: readonly number[], i: number, usual: Float64Array): WordShare[] {
  const {start, concept, weight} = tables
  const shares: WordShare[] = []
  for (const j of words) {
    let own = 0
    let l = tables.leak[j]
    for (let e = start[j]; e < start[j + 1]; e++)
      if (concept[e] === i) own = weight[e]
      else l += usual[concept[e]] * weight[e] * (1 - l)
    if (own > 0) shares.push({word: j, logOdds: log(l + own * (1 - l)) - log(l)})
  }
  return shares.sort((a, b) => b.logOdds - a.logOdds || a.word - b.word)
}

/** Words that do not occur: log f_ij, exact whatever the other evidence; at most `limit` by name, the strongest first. */
function absentWords(
  {start, concept, logFailure, wordCount}: InferenceTables,
  words: readonly number[],
  i: number,
  limit: number
): ReturnType<typeof shortened<WordShare>> {
  const occurs = new Set(words)
  const shares: WordShare[] = []
  for (let j = 0; j < wordCount; j++)
    if (!occurs.has(j))
      for (let e = start[j]; e < start[j + 1]; e++) if (concept[e] === i) shares.push({word: j, logOdds: logFailure[e]})
  return shortened(shares, limit)
}

/** Words that occur and that both concepts can cause, strongest first, at most three. */
function sharedWords(tables: InferenceTables, words: readonly number[], i: number, k: number): number[] {
  const {start, concept, weight} = tables
  const weightOf = (j: number, cause: number) => {
    const e = concept.subarray(start[j], start[j + 1]).indexOf(cause)
    return e === -1 ? 0 : weight[start[j] + e]
  }
  return words
    .map(j => ({j, both: weightOf(j, i) * weightOf(j, k)}))
    .filter(({both}) => both > 0)
    .sort((a, b) => b.both - a.both || a.j - b.j)
    .slice(0, 3)
    .map(({j}) => j)
}
