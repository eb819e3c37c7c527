import {counted, grouped, nameList, percent} from '../../base/text/index.ts'
import {createFeatureReader, type Lexicon, type Row} from '../../read/data/index.ts'
import type {Finding} from './finding.ts'

/** How often the words of an anchor are negated, read without negation. */
export interface NegatedHits {
  readonly concept: string
  /** Documents, of those examined, where the anchor fires, and where it would not if negation were read. */
  readonly documents: number
  readonly negated: number
  /** Up to three of the negated mentions, in context. */
  readonly examples: readonly string[]
}

const EXAMPLES = 3
const EXAMPLE_LETTERS = 80
/** From this share of the hits on, and this many, they matter. */
const LEAST_SHARE = 0.1
const LEAST_NEGATED = 5

/**
 * Counts the documents where each anchor fires by negated mentions alone ("denies alcohol"); concepts without any are left
 * out. Empty if negation is read already. Cost: reads every document twice.
 */
export function negatedHits(lexicon: Lexicon, documents: Iterable<Row>): NegatedHits[] {
  const {anchors, phrases, text} = lexicon
  if (text.negation || text.fields.length === 0) return []
  const [plain, aware] = [text, {...text, negation: true}].map(options => {
    const {read, memberConcepts} = createFeatureReader(anchors, phrases, options)
    return (row: Row) => new Set(read(row, () => {}).map(member => memberConcepts[member]))
  })
  const hits = anchors.map(({concept}) => ({concept, documents: 0, negated: 0, examples: [] as string[]}))
  for (const row of documents) {
    const fired = plain(row)
    if (fired.size === 0) continue
    const left = aware(row)
    for (const i of fired) {
      hits[i].documents++
      if (left.has(i)) continue
      hits[i].negated++
      const sentence =
        hits[i].examples.length < EXAMPLES ? findSentence(row, sentence => plain(sentence).has(i)) : undefined
      if (sentence !== undefined && !hits[i].examples.includes(sentence)) hits[i].examples.push(sentence)
    }
  }
  return hits.filter(({negated}) => negated > 0)
}

/** Anchors whose hits are negated often enough to matter. */
export function checkNegation(hits: readonly NegatedHits[]): Finding[] {
  return hits.flatMap(({concept, documents, negated, examples}): Finding[] => {
    if (negated < LEAST_NEGATED || negated < LEAST_SHARE * documents) return []
    return [
      {
        concept,
        severity: 'warning',
        kind: 'negated',
        message:
          `in ${grouped(negated)} of the ${counted(documents, 'document')} where its anchor fires (${percent(negated / documents)}) ` +
          `its words are negated: ${nameList(examples)}`,
        evidence: {documents, negated, examples},
        remedy: 'if such documents do not have the concept, read negation',
        tool: 'negation'
      }
    ]
  })
}

/** The first sentence of a text field that fits, shortened around its middle part. */
function findSentence(row: Row, fits: (sentence: Row) => boolean): string | undefined {
  for (const [field, content] of row.text)
    for (const [sentence] of content.matchAll(/[^.!?;\n]+/g)) {
      const alone = (text: string): Row => ({...row, text: new Map([[field, text]]), features: []})
      if (fits(alone(sentence))) return shortened(sentence.trim().replace(/\s+/g, ' '), part => fits(alone(part)))
    }
  return undefined
}

/** The beginning of a long sentence up to the word that fires, with some words before it. */
function shortened(sentence: string, fits: (part: string) => boolean): string {
  if (sentence.length <= EXAMPLE_LETTERS) return sentence
  const words = sentence.split(' ')
  let [low, high] = [1, words.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (fits(words.slice(0, middle).join(' '))) high = middle
    else low = middle + 1
  }
  const until = words.slice(0, low).join(' ')
  const start = until.length <= EXAMPLE_LETTERS ? 0 : until.indexOf(' ', until.length - EXAMPLE_LETTERS) + 1
  return `${start > 0 ? '... ' : ''}${until.slice(start)}${low < words.length ? ' ...' : ''}`
}
