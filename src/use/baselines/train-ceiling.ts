import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import {networkMarginals} from '../../base/network/index.ts'
import {corpusRows} from '../../learn/classifier/index.ts'
import type {Concept} from '../../learn/model/index.ts'
import type {Corpus, CorpusDocument} from '../../read/data/index.ts'
import {createPredictor} from '../prediction/index.ts'
import {type Baseline, classifierBaseline, conceptScores, networkBaseline} from './baseline.ts'
import {checkTraining, foldsFor, labelFault} from './check-training.ts'
import {modelsFromTags} from './models-from-tags.ts'
import {noisyTarget} from './noisy-labels.ts'
import {
  type BaselineControl,
  type BaselineOptions,
  checkBaselineOptions,
  fitsNeeded,
  priorTask,
  trainClassifiers,
  untrainedOf
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
  const faults = observed.map(labels => labelFault('its tag occurs', labels))
  const untrained = untrainedOf(concepts, faults)
  let done = 0
  const total = fitsNeeded(concepts.length - untrained.length, checked.ridges.length)
  const tasks = concepts.map((concept, i) => {
    const labels = observed[i]
    if (faults[i] !== undefined) return priorTask(labels, (labels.filter(Boolean).length + 0.5) / (labels.length + 1))
    const target = noisyTarget('anchor', labels, concept)
    return {observed: labels, target, without: [], folds: foldsFor(labels, checked.folds)}
  })
  const {classifiers, certificate} = trainClassifiers(corpusRows(corpus), tasks, checked, () => {
    throwIfCancelled(signal)
    onProgress?.(++done, total)
  })
  const scores = conceptScores(classifiers, lexicon.words.length)
  const tags = corpus.documents.map(({labels}) => concepts.flatMap((_, i) => (labels[i] === 1 ? [i] : [])))
  const {tree, independent, noisyOr} = modelsFromTags(corpus, tags, concepts)
  return {
    supervised: classifierBaseline(scores, networkMarginals(tree.network), {classifiers: certificate, untrained}),
    'supervised-tree': networkBaseline(scores, tree.network, {classifiers: certificate, untrained}),
    'oracle-ml-tree': {...createPredictor(tree), certificate: {noisyOr}},
    'oracle-ml-independent': {...createPredictor(independent), certificate: {noisyOr}}
  }
}

type TaggedDocument = CorpusDocument & {readonly labels: Int8Array}

function isTagged(document: CorpusDocument): document is TaggedDocument {
  return document.labels !== undefined && !document.labels.includes(-1)
}
