import {type Lexicon, NumberedReader, type Row} from '../../read/data/index.ts'
import {finding} from './finding.ts'

/** Hits of an anchor in documents that are read without negation. */
export interface AnchorHits {
  readonly concept: string
  /** Documents, of those examined, where the anchor fires, and where it would not if negation were read. */
  readonly documents: number
  readonly negated: number
  /** Up to three negated mentions in context, and as many others. */
  readonly examples: readonly string[]
  readonly affirmed: readonly string[]
}

const EXAMPLES = 3
const EXAMPLE_LETTERS = 80
/** From this share of the hits on, and this many, they matter. */
const LEAST_SHARE = 0.1
const LEAST_NEGATED = 5

/**
 * Counts the documents where each anchor fires, and where it does so by negated mentions alone ("denies alcohol").
 * Empty if negation is read already. Cost: reads every document twice.
 */
export function anchorHits(
  {anchors, phrases, reading: text}: Pick<Lexicon, 'anchors' | 'phrases' | 'reading'>,
  documents: Iterable<Row>
): AnchorHits[] {
  if (text.negation) return []
  const [plain, aware] = [text, {...text, negation: true}].map(options => {
    const reader = new NumberedReader(anchors, phrases, options)
    return (row: Row) => new Set(reader.read(row).map(member => reader.index.memberConcepts[member]))
  })
  const hits = anchors.map(({concept}) => ({
    concept,
    documents: 0,
    negated: 0,
    examples: [] as string[],
    affirmed: [] as string[]
  }))
  for (const row of documents) {
    const fired = plain(row)
    const left = fired.size === 0 ? fired : aware(row)
    for (const i of fired) {
      const isNegated = !left.has(i)
      const [shown, fires] = isNegated ? [hits[i].examples, plain] : [hits[i].affirmed, aware]
      hits[i].documents++
      hits[i].negated += Number(isNegated)
      const sentence = shown.length < EXAMPLES ? findSentence(row, sentence => fires(sentence).has(i)) : undefined
      if (sentence !== undefined && !shown.includes(sentence)) shown.push(sentence)
    }
  }
  return hits
}

/** Negated hits of one anchor that are not chance, and their share; over all anchors, a smaller share is not worth a change. */
const LEAST_MARKED = 10
const LEAST_MARKED_SHARE = 0.2
const LEAST_OVERALL = 0.1
/** At this share the anchor marks the absence of its concept rather than the concept. */
const MOSTLY = 0.5

/** The concept for which reading negation matters most, if it matters. */
export function mostNegated(hits: readonly AnchorHits[]): AnchorHits | undefined {
  const sum = (count: (hit: AnchorHits) => number) => hits.reduce((total, hit) => total + count(hit), 0)
  const isCommon = sum(({negated}) => negated) >= LEAST_OVERALL * sum(({documents}) => documents)
  return hits
    .filter(hit => hit.negated >= LEAST_MARKED && share(hit) >= (isCommon ? LEAST_MARKED_SHARE : MOSTLY))
    .sort((a, b) => share(b) - share(a))[0]
}

/** The concepts that cannot be learned without a decision about negation: most of their hits are negated. */
export function mostlyNegated(hits: readonly AnchorHits[]): AnchorHits[] {
  return hits.filter(hit => hit.negated >= LEAST_MARKED && share(hit) >= MOSTLY)
}

function share({negated, documents}: AnchorHits): number {
  return negated / Math.max(1, documents)
}

/** Anchors whose hits are negated often enough to matter. */
export function checkNegation(hits: readonly AnchorHits[]) {
  return hits.flatMap(({concept, documents, negated, examples}) =>
    negated < LEAST_NEGATED || negated < LEAST_SHARE * documents
      ? []
      : [finding(concept, 'warning', 'negated', {documents, negated, examples})]
  )
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
  const ends = Array.from(sentence.matchAll(/ |$/g), ({index}) => index)
  const end = ends.find(at => fits(sentence.slice(0, at))) ?? sentence.length
  const start = end <= EXAMPLE_LETTERS ? 0 : sentence.indexOf(' ', end - EXAMPLE_LETTERS) + 1
  return `${start > 0 ? '... ' : ''}${sentence.slice(start, end)}${end < sentence.length ? ' ...' : ''}`
}
