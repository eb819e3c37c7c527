import {throwIfCancelled, withDefaults} from '../../base/checks/index.ts'
import type {Corpus} from '../../read/data/index.ts'
import {type CrossFittedOptions, corpusRows, crossFitted, crossFittedDefaults} from '../classifier/index.ts'

/** How well the content of each document predicts each anchor. */
export interface AnchorScores {
  readonly documentCount: number
  /** By concept; without those whose anchor fires in fewer documents than there are folds, or in nearly all. */
  readonly concepts: ReadonlyMap<string, ConceptScores>
}

/** One entry per document. */
export interface ConceptScores {
  /** log P(A=1|x) / P(A=0|x) by a classifier that has not seen the document. */
  readonly logOdds: Float32Array
  /** 1 where the anchor fires. */
  readonly fired: Uint8Array
  /** The label: 1 the document has the concept, 0 it has not, -1 unknown. */
  readonly labels: Int8Array
}

export interface AnchorScoreOptions extends Pick<CrossFittedOptions, 'folds' | 'seed' | 'ridge' | 'tolerance'> {}

const {folds, seed, ridge} = crossFittedDefaults

/**
 * The classifier's default tolerance of 1e-6 takes nearly twice the time and moves prevalences by half a per cent: a
 * hundredth of their uncertainty.
 */
const anchorScoreDefaults: AnchorScoreOptions = {folds, seed, ridge, tolerance: 1e-4}

export interface AnchorScoreControl {
  /** Called after each concept. */
  readonly onProgress?: (done: number, concepts: number) => void
  readonly signal?: AbortSignal
}

/**
 * Score every document for every concept: cross-fitted ridge logistic regression of its anchor on the words and on the
 * anchors of the other concepts. Labels are passed through. Cost: three fits per concept, each some tens of passes over
 * the words of all documents.
 */
export function scoreAnchors(
  corpus: Corpus,
  options?: Partial<AnchorScoreOptions>,
  {onProgress, signal}: AnchorScoreControl = {}
): AnchorScores {
  const full = withDefaults('scoreAnchors', anchorScoreDefaults, options)
  const {lexicon, documents} = corpus
  const rows = corpusRows(corpus)
  const concepts = new Map<string, ConceptScores>()
  lexicon.anchors.forEach(({concept}, i) => {
    throwIfCancelled(signal)
    const fired = Uint8Array.from(documents, ({anchors}) => (anchors.includes(i) ? 1 : 0))
    const firing = fired.reduce((sum, one) => sum + one, 0)
    if (Math.min(firing, fired.length - firing) >= full.folds) {
      const {logOdds} = crossFitted(rows, fired, {...full, without: [lexicon.words.length + i]})
      const labels = Int8Array.from(documents, document => document.labels?.[i] ?? -1)
      concepts.set(concept, {logOdds: Float32Array.from(logOdds), fired, labels})
    }
    onProgress?.(i + 1, lexicon.anchors.length)
  })
  return {documentCount: documents.length, concepts}
}
