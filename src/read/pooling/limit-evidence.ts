import {hashShare} from '../../base/numeric/index.ts'
import type {Corpus, Evidence, Lexicon} from '../data/index.ts'
import type {PrivacyRules} from './privacy-noise.ts'

/** Reduces the evidence of a document; must depend only on the evidence and the document's key. */
export type EvidenceLimit = (evidence: Evidence, key: string) => Evidence

/**
 * Limits a document to `mostAnchors` concepts and `mostWords` words, so that no document changes the released numbers by
 * much. A hash of the document's key draws those that stay: no word is favoured over the whole corpus, and the draw does
 * not depend on other documents, as the privacy guarantee requires.
 */
export function limitEvidence(
  {anchors: concepts}: Lexicon,
  {mostAnchors, mostWords}: Pick<PrivacyRules, 'mostAnchors' | 'mostWords'>
): EvidenceLimit {
  const conceptOf = concepts.flatMap(({any}, concept) => any.map(() => concept))
  return (evidence, key) => {
    const words = drawn(evidence.words, mostWords, `word ${key}`)
    if (evidence.anchors.length <= mostAnchors) return {...evidence, words}
    const anchors = drawn(evidence.anchors, mostAnchors, `anchor ${key}`)
    const kept = new Set(anchors)
    return {words, anchors, members: evidence.members.filter(member => kept.has(conceptOf[member]))}
  }
}

/** At most `limit` of the items, those with the smallest hashes, in order. */
function drawn(items: readonly number[], limit: number, key: string): readonly number[] {
  if (items.length <= limit) return items
  const shares = items.map(item => ({item, share: hashShare(key, item)}))
  shares.sort((a, b) => a.share - b.share || a.item - b.item)
  return shares
    .slice(0, limit)
    .map(({item}) => item)
    .sort((a, b) => a - b)
}

/** A corpus with every document limited. */
export function limitCorpus(
  {lexicon, documents}: Corpus,
  rules: Pick<PrivacyRules, 'mostAnchors' | 'mostWords'>
): Corpus {
  const limit = limitEvidence(lexicon, rules)
  return {
    lexicon,
    documents: documents.map(document => ({...document, ...limit(document, document.key)}))
  }
}
