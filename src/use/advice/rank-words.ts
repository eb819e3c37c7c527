import {type Anchors, createEncoder, fieldNames, type Lexicon, type Row} from '../../read/data/index.ts'
import {isEmptyName, isMoreAlike, otherNamed, type Similarity, type WordNames} from './name-similarity.ts'
import {
  LEAST_TOGETHER,
  type Rival,
  strongestRival,
  type WordClaim,
  type WordEvidence,
  wordClaim
} from './word-claims.ts'

/** A word that may become part of an anchor. */
export interface Candidate {
  readonly word: number
  readonly claim: WordClaim
  /** Candidates are ranked by it, highest first. */
  readonly score: number
  /** Whether documents support it, or only its name. */
  readonly basis: 'documents' | 'name'
  readonly similarity: Similarity
  /** Another concept that it may indicate as well. */
  readonly rival: Rival | undefined
  /** Another concept whose names are as similar. */
  readonly namesake: number | undefined
}

/** Documents support a word only with at least this P(A|x) / P(A) and this P(Y|x). */
const LEAST_LIFT = 3
const MIN_PRECISION = 0.25
/** A rival of at least this strength is reported; at 1, as strong as the concept itself, it rules the word out. */
const NAMED_RIVAL = 0.5
/**
 * What a similar name adds to the score, of which documents contribute at most 1. In six tagged corpora, 38-69% of the
 * documents with a word of the same name have the concept, 30-54% with an inflected form, 14-39% with the same stem.
 */
const LIKENESS_WORTH: Readonly<Record<Similarity, number>> = {none: 0, stem: 0.15, inflected: 0.3, same: 0.5}
/** At this many documents a name counts half: a rare anchor is of little use, whatever its name. */
const HALF_WORTH = 3

/** All words with some support, best first. Without `names`, only documents count. */
export function rankWords(
  evidence: WordEvidence,
  {member, veto, isEmpty}: BarredWords,
  names: WordNames | undefined,
  i: number
): Candidate[] {
  const found: Candidate[] = []
  for (let j = 0; j < evidence.n; j++) {
    if (member[j] === 1 || veto[i][j] === 1 || isEmpty[j] === 1) continue
    const similarity = names?.[i].get(j) ?? 'none'
    if (similarity === 'none' && evidence.anchoredWords[i * evidence.n + j] < LEAST_TOGETHER) continue
    const other = names === undefined ? undefined : otherNamed(names, i, j)
    // A word more similar to another concept's name is left to that concept.
    if (other !== undefined && isMoreAlike(other.similarity, similarity)) continue
    const candidate = judge(evidence, i, j, similarity)
    const namesake = other?.similarity === similarity ? other.concept : undefined
    if (candidate !== undefined) found.push({...candidate, namesake})
  }
  return found.sort((a, b) => b.score - a.score || a.word - b.word)
}

/** Undefined for a word without support. */
function judge(
  evidence: WordEvidence,
  i: number,
  word: number,
  similarity: Similarity
): Omit<Candidate, 'namesake'> | undefined {
  const claim = wordClaim(evidence, i, word)
  const isShown =
    claim.together >= LEAST_TOGETHER && claim.lift.low >= LEAST_LIFT && claim.precision.low >= MIN_PRECISION
  const isNamed = similarity !== 'none'
  if (!isShown && !isNamed) return undefined
  const rival = isShown ? strongestRival(evidence, i, word, claim) : undefined
  const strength = rival?.strength ?? 0
  if (strength >= 1 && !isNamed) return undefined
  const quality = isShown ? (claim.precision.low * Math.sqrt(claim.coverage.low)) / (1 + strength) : 0
  return {
    word,
    claim,
    score: quality + nameWorth(similarity, claim.documents),
    basis: isShown ? 'documents' : 'name',
    similarity,
    rival: strength >= NAMED_RIVAL ? rival : undefined
  }
}

function nameWorth(similarity: Similarity, documents: number): number {
  return (LIKENESS_WORTH[similarity] * documents) / (documents + HALF_WORTH)
}

/** Words that may not be suggested. */
interface BarredWords {
  /** 1 for each word that is a member of some anchor. */
  readonly member: Uint8Array
  /** By concept, 1 for each word named by its "not". */
  readonly veto: readonly Uint8Array[]
  /** 1 for each function word, single letter and negated mention. */
  readonly isEmpty: Uint8Array
}

/**
 * Finds the words that are members of anchors, vetoed, or no sign of anything. Feature names may be phrases or regular expressions and may lack
 * a field, so each word is encoded like a document.
 */
export function barredWords(lexicon: Lexicon, words: readonly string[] = lexicon.words): BarredWords {
  const {anchors, reading} = lexicon
  const member = new Uint8Array(words.length)
  const veto = anchors.map(() => new Uint8Array(words.length))
  const members = anchors.map(anchor => ({...anchor, not: []}))
  const vetoes = anchors.map(({concept, not}) => ({concept, any: not, not: [], rates: undefined}))
  for (const [, j] of firings(members)) member[j] = 1
  for (const [i, j] of firings(vetoes)) veto[i][j] = 1
  const fields = fieldNames(reading)
  return {member, veto, isEmpty: Uint8Array.from(words, word => Number(isEmptyName(word, fields)))}

  /** Concept and word of every anchor that fires in a document of one word alone. */
  function firings(of: Anchors): (readonly [concept: number, word: number])[] {
    const encoder = createEncoder({...lexicon, anchors: of, words: [], filter: undefined})
    return words.flatMap((word, j) => encoder.encode(wordAsRow(word, reading.text)).anchors.map(i => [i, j] as const))
  }
}

/** A document of this word alone, both as text of its field and as a feature. */
function wordAsRow(word: string, fields: readonly string[]): Row {
  const field = fields.find(prefix => word.startsWith(`${prefix}:`))
  const text = field === undefined ? [] : [[field, word.slice(field.length + 1)] as const]
  return {id: undefined, text: new Map(text), features: [word], tags: undefined, labels: undefined}
}
