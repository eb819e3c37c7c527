import {log, logit} from '../../base/numeric/index.ts'
import {
  buildTables,
  createInference,
  createMessagePassing,
  type DocumentFactors,
  exactPosterior,
  type InferenceTables,
  readDocument
} from '../../learn/inference/index.ts'
import {
  anchorPart,
  type Contribution,
  conceptPart,
  labelPart,
  NAMED_CONCEPTS,
  namedParts,
  type Parts,
  type Reading,
  restPart,
  strongestFirst,
  type WordShare,
  wordName,
  wordPart
} from './contributions.ts'
import {playGame} from './shapley.ts'

/**
 * An explanation by noisy-or links.
 *
 * Anchor and words count as if the document had no evidence on other concepts (each at its usual share); then they are
 * one sum, in any order. The rest is due to the other concepts: each gets its average change over every order of taking
 * them into account (its Shapley value). Thus a word that fits two concepts counts for both, and the one that explains it
 * better takes it back from the other: explaining away is a figure of its own.
 * Cost: a posterior for each figure, and at most 2m + 2^9 for the other concepts.
 */
export function explainNoisyOr(reading: Reading): Parts {
  const {model, evidence, i, labels, checked} = reading
  const tables = buildTables(model)
  // Without words, messages are exact on nearly every network, for any number of concepts.
  const network = createInference(model, {...checked, method: 'auto', anchors: 'hidden', words: 'hidden'})
  const usualWith = (taking: ReadonlySet<number>) =>
    network.posterior(
      evidence,
      labels.map((label, k) => (taking.has(k) ? label : -1))
    ).probabilities
  const labelled = [...labels.keys()].filter(k => labels[k] !== -1)
  const prior = usualWith(new Set())[i]
  const known = playGame(labelled, taking => logit(usualWith(taking)[i]), NAMED_CONCEPTS)
  const usual = usualWith(new Set(labelled))
  const words = checked.words === 'hidden' ? [] : evidence.words
  const present = presentWords(tables, words, i, usual)
  const open = [...labels.keys()].filter(k => k !== i && labels[k] === -1)
  const others = playGame(open, createOdds(reading, tables, usual), NAMED_CONCEPTS)
  return {
    contributions: [
      {kind: 'prior', probability: prior, logOdds: logit(prior)},
      ...known.shares.map(([k, logOdds]) => labelPart(reading, k, logOdds)),
      ...restPart('known-tags', known.rest),
      ...anchorPart(reading),
      ...present.map(share => wordPart(reading, share)),
      ...absentWords(reading, tables),
      ...others.shares.map(([k, logOdds]) => {
        const shared = sharedWords(tables, words, i, k).map(j => wordName(model, j))
        return conceptPart(reading, k, logOdds, shared)
      }),
      ...restPart('concepts', others.rest)
    ],
    otherWords: words.length - present.length
  }
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
  return shares.sort(strongestFirst)
}

/** How many absent words are named one by one. */
const NAMED_ABSENT = 5

/** Words that do not occur: log f_ij, exact whatever the other evidence. */
function absentWords(reading: Reading, {start, concept, logFailure, wordCount}: InferenceTables): Contribution[] {
  const {evidence, i, checked} = reading
  if (checked.words === 'hidden') return []
  const occurs = new Set(evidence.words)
  const shares: WordShare[] = []
  for (let word = 0; word < wordCount; word++)
    if (!occurs.has(word))
      for (let e = start[word]; e < start[word + 1]; e++)
        if (concept[e] === i) shares.push({word, logOdds: logFailure[e]})
  return namedParts('absent-words', shares, NAMED_ABSENT, share => wordPart(reading, share))
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

/** Beyond this 1 - p has too few digits left; evidence that is reduced earlier would change messages to the others. */
const NEARLY_CERTAIN = {exact: 1 - 1e-3, messages: 1 - 1e-9}
/** Subtracted from the log-odds of a concept that is nearly certain, as often as needed. */
const SHIFT = 5

/**
 * log P(Y_i = 1 | document) - log P(Y_i = 0 | document) when only some of the other concepts take part. A concept k that does not
 * stays in P(Y), without evidence from the document: its anchor and absent words do not count, and in words that occur it is
 * replaced by its usual share, 1 - P(Y_k = 1)(1 - f_kj) instead of f_kj^y_k. With no other concept, every word is a factor of
 * concept i alone and the log-odds are a plain sum.
 * The log-odds of a nearly certain concept are found with its own evidence reduced by a known amount.
 */
function createOdds(
  {evidence, i, labels, checked, posterior: {certificate}}: Reading,
  tables: InferenceTables,
  usual: Float64Array
): (taking: ReadonlySet<number>) => number {
  const factors = readDocument(tables, evidence, checked, labels)
  const passMessages = createMessagePassing(tables, checked)
  const isExact = certificate.method === 'exact'
  const certain = isExact ? NEARLY_CERTAIN.exact : NEARLY_CERTAIN.messages
  return taking => {
    const takesPart = (k: number) => k === i || taking.has(k)
    const unary = factors.unary.map((value, k) => (takesPart(k) ? value : 0))
    const part = foldWords(factors, i, takesPart, usual)
    for (let shift = 0; ; shift += SHIFT) {
      const shifted = {...part, unary: unary.with(i, unary[i] - shift)}
      const p = (isExact ? exactPosterior(tables, shifted) : passMessages(shifted)).probabilities[i]
      if (p <= certain || shift > 1000) return shift + log(p) - log(1 - p)
    }
  }
}

/**
 * Folds the concepts that do not take part into the leaks of the words, at their usual shares. Words that are left without an edge,
 * or that only concept i can cause, are dropped: the latter would make every answer infinite.
 */
function foldWords(
  from: DocumentFactors,
  i: number,
  takesPart: (k: number) => boolean,
  usual: Float64Array
): DocumentFactors {
  const [start, leak] = [new Int32Array(from.wordCount + 1), new Float64Array(from.wordCount)]
  const [concept, weight] = [new Int32Array(from.concept.length), new Float64Array(from.concept.length)]
  let wordCount = 0
  let edge = 0
  for (let p = 0; p < from.wordCount; p++) {
    const first = edge
    let l = from.leak[p]
    for (let e = from.start[p]; e < from.start[p + 1]; e++) {
      const k = from.concept[e]
      if (takesPart(k)) {
        concept[edge] = k
        weight[edge++] = from.weight[e]
      } else l += usual[k] * from.weight[e] * (1 - l)
    }
    const isForced = l === 0 && edge === first + 1 && concept[first] === i
    if (edge === first || isForced) edge = first
    else {
      leak[wordCount++] = l
      start[wordCount] = edge
    }
  }
  return {...from, wordCount, start, leak, concept, weight}
}
