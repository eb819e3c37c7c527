import {type Anchors, createFeatureReader, fieldNames, type Row, type TextOptions} from '../../../read/data/index.ts'

/** Hits of the anchor of a concept in documents. */
export interface AnchorHits {
  readonly concept: string
  readonly documents: number
  /** Documents where only negated mentions make it fire, with an example. */
  readonly negated: number
  readonly negatedExample: string | undefined
  /** The words around a hit, in different documents. */
  readonly examples: readonly string[]
}

/** Examples to show per concept. */
const EXAMPLES = 3
/** Characters to show on either side of a word. */
const AROUND = 35

/** Where the anchors fire, and where only because negation is not read ("denies alcohol"). */
export function anchorHits(rows: readonly Row[], anchors: Anchors, text: TextOptions): AnchorHits[] {
  const plain = createFeatureReader(anchors, [], {...text, negation: false})
  const negating = createFeatureReader(anchors, [], {...text, negation: true})
  const members = anchors.flatMap(({any}, concept) => any.map(feature => ({feature, concept})))
  const found = anchors.map(({concept}) => ({
    concept,
    documents: 0,
    negated: 0,
    negatedExample: undefined as string | undefined,
    examples: [] as string[]
  }))
  for (const row of rows) {
    const fired = plain.read(row, () => {})
    if (fired.length === 0) continue
    const affirmed = new Set(negating.read(row, () => {}).map(member => members[member].concept))
    for (const concept of new Set(fired.map(member => members[member].concept))) {
      const hits = found[concept]
      const {feature} = members[fired.find(member => members[member].concept === concept) ?? 0]
      hits.documents++
      if (affirmed.has(concept)) {
        if (hits.examples.length < EXAMPLES) hits.examples.push(passage(row, feature, text))
        continue
      }
      hits.negated++
      hits.negatedExample ??= passage(row, feature, text)
    }
  }
  return found
}

/** The text around the first mention of a feature; the feature itself if it is no word of a text. */
function passage(row: Row, feature: string, text: TextOptions): string {
  const field = fieldNames(text).find(name => feature.startsWith(`${name}:`))
  const word = field === undefined ? feature : feature.slice(field.length + 1)
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])${word
      .split(/[\s_-]+/)
      .map(part => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
      .join('[^\\p{L}\\p{N}]+')}(?![\\p{L}\\p{N}])`,
    'iu'
  )
  for (const content of row.text.values()) {
    const found = pattern.exec(content)
    if (found === null) continue
    const [from, to] = [found.index - AROUND, found.index + found[0].length + AROUND]
    const middle = content.slice(Math.max(0, from), to).replace(/\s+/g, ' ')
    return `${from > 0 ? '...' : ''}${middle}${to < content.length ? '...' : ''}`
  }
  return feature
}

/** Negated hits of one anchor that are no chance, and their share; over all anchors, a smaller share is not worth a change. */
const LEAST_NEGATED = 10
const LEAST_SHARE = 0.2
const LEAST_OVERALL = 0.1

/** The concept for which reading negation matters most, if it matters. */
export function mostNegated(hits: readonly AnchorHits[]): AnchorHits | undefined {
  const share = ({negated, documents}: Pick<AnchorHits, 'negated' | 'documents'>) => negated / Math.max(1, documents)
  const overall = {negated: 0, documents: 0}
  for (const {negated, documents} of hits) {
    overall.negated += negated
    overall.documents += documents
  }
  if (share(overall) < LEAST_OVERALL) return undefined
  return hits
    .filter(hit => hit.negated >= LEAST_NEGATED && share(hit) >= LEAST_SHARE)
    .sort((a, b) => share(b) - share(a))[0]
}
