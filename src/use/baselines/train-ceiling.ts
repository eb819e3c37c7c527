import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import {networkMarginals} from '../../base/network/index.ts'
import {corpusRows} from '../../learn/classifier/index.ts'
import type {Concept} from '../../learn/model/index.ts'
import type {Corpus, CorpusDocument} from '../../read/data/index.ts'
import {createPredictor} from '../prediction/index.ts'
import {type Baseline, classifierBaseline, conceptScores, networkBaseline} from './baseline.ts'
import {checkTraining, foldsFor} from './check-training.ts'
import {modelsFromTags} from './models-from-tags.ts'
import {noisyTarget} from './noisy-labels.ts'
import {
  type BaselineControl,
  type BaselineOptions,
  checkBaselineOptions,
  fitsNeeded,
  trainClassifiers
} from './train-classifiers.ts'

export type CeilingName = 'supervised' | 'supervised-tree' | 'oracle-ml-tree' | 'oracle-ml-independent'

/**
 * Methods that learn from the true tags of the training documents: ceilings, not rivals. Documents without all their tags
 * are left out.
 *
 * - `supervised`: logistic regression of each tag on the words and all anchors, including its own.
 * - `supervised-tree`: the same in the tree of the true tags ({@link networkBaseline}).
 * - `oracle-ml-tree`, `oracle-ml-independent`: Oracle ML of Section 5.4, {@link modelsFromTags} with the true tags.
 *
 * The ridge is chosen by held-out tags.
 */
export function trainCeiling(
  {lexicon, documents}: Corpus,
  concepts: readonly Concept[],
  options?: Partial<BaselineOptions>,
  {onProgress, signal}: BaselineControl = {}
): Record<CeilingName, Baseline> {
  const checked = checkBaselineOptions('trainCeiling', options)
  const corpus = {lexicon, documents: documents.filter(isTagged)}
  if (corpus.documents.length === 0)
    throw new AdfaError(
      'bad-document',
      'no training document has all its tags, and a ceiling learns from them; give tagged documents, or leave it out'
    )
  checkTraining(corpus, concepts)
  const observed = concepts.map((_, i) => Uint8Array.from(corpus.documents, ({labels}) => labels[i]))
  const folds = foldsFor(concepts, 'tag', observed, checked.folds)
  let done = 0
  const total = fitsNeeded(concepts.length, checked.ridges.length)
  const tasks = concepts.map((concept, i) => ({
    observed: observed[i],
    target: noisyTarget('anchor', observed[i], concept),
    without: [],
    folds: folds[i]
  }))
  const {classifiers, certificate} = trainClassifiers(corpusRows(corpus), tasks, checked, () => {
    throwIfCancelled(signal)
    onProgress?.(++done, total)
  })
  const scores = conceptScores(classifiers, lexicon.words.length)
  const tags = corpus.documents.map(({labels}) => concepts.flatMap((_, i) => (labels[i] === 1 ? [i] : [])))
  const {tree, independent, noisyOr} = modelsFromTags(corpus, tags, concepts)
  return {
    supervised: classifierBaseline(scores, networkMarginals(tree.network), {classifiers: certificate}),
    'supervised-tree': networkBaseline(scores, tree.network, {classifiers: certificate}),
    'oracle-ml-tree': {...createPredictor(tree), certificate: {noisyOr}},
    'oracle-ml-independent': {...createPredictor(independent), certificate: {noisyOr}}
  }
}

type TaggedDocument = CorpusDocument & {readonly labels: Int8Array}

function isTagged(document: CorpusDocument): document is TaggedDocument {
  return document.labels !== undefined && !document.labels.includes(-1)
}
