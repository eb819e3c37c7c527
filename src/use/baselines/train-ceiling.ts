import {AdfaError} from '../../base/checks/index.ts'
import {log, rng, shuffled} from '../../base/numeric/index.ts'
import {corpusRows} from '../../learn/classifier/index.ts'
import type {Concept} from '../../learn/model/index.ts'
import {documentScale} from '../../learn/robust/index.ts'
import type {Corpus, CorpusDocument, Evidence} from '../../read/data/index.ts'
import {createPredictor} from '../prediction/index.ts'
import {type Baseline, classifierBaseline, conceptScores} from './baseline.ts'
import {modelsFromTags} from './models-from-tags.ts'
import {noisyTarget} from './noisy-labels.ts'
import {
  type BaselineControl,
  type BaselineOptions,
  type ClassifierTask,
  checkTraining,
  fitsNeeded,
  labelFault,
  progressOf,
  trainClassifiers
} from './train-classifiers.ts'

/** How many labelled documents regressions learn from, where there are more. */
export const labelledSizes = [100, 500, 1000, 2000] as const

export type CeilingName = 'supervised' | 'oracle-ml-tree' | 'oracle-ml-independent'
type RegressionName = `supervised-${(typeof labelledSizes)[number]}`

/** One over C of the usual grid. */
const RIDGES = [10, 1, 0.1, 0.01]

/**
 * Methods that learn from the true tags of the training documents. Documents without all their tags are left out.
 *
 * - `supervised`: TF-IDF logistic regression of each tag ({@link inverseFrequencies}), the ridge chosen by cross-validation.
 * - `supervised-100`, `-500`, `-1000`, `-2000`: the same from so many documents, drawn at random, each draw within the next.
 * - `oracle-ml-tree`, `oracle-ml-independent`: Oracle ML of Section 5.4, {@link modelsFromTags} with the true tags.
 */
export function trainCeiling(
  {lexicon, documents}: Corpus,
  concepts: readonly Concept[],
  options?: Partial<BaselineOptions>,
  control: BaselineControl = {}
): Record<CeilingName, Baseline> & Partial<Record<RegressionName, Baseline>> {
  const checked = checkTraining('trainCeiling', {lexicon, documents}, concepts, {ridges: RIDGES, ...options})
  const tagged = documents.filter(isTagged)
  if (tagged.length === 0)
    throw new AdfaError(
      'bad-document',
      'no training document has all its tags, and a ceiling learns from them; give tagged documents, or leave it out'
    )
  const drawn = shuffled(tagged, rng(checked.seed).stream('labelled documents'))
  const sizes = labelledSizes.filter(size => size < tagged.length)
  const samples = [...sizes.map(size => drawn.slice(0, size)), tagged].map(sample => ({sample, tasks: tasksOf(sample)}))
  const idf = inverseFrequencies({lexicon, documents: tagged})
  const step = progressOf(
    samples.reduce((sum, {tasks}) => sum + fitsNeeded(tasks, checked), 0),
    control
  )
  const regressions = samples.map(regress)
  const tags = tagged.map(({labels}) => concepts.flatMap((_, i) => (labels[i] === 1 ? [i] : [])))
  const {tree, independent, noisyOr} = modelsFromTags({lexicon, documents: tagged}, tags, concepts)
  return {
    ...Object.fromEntries(sizes.map((size, at) => [`supervised-${size}`, regressions[at]])),
    supervised: regressions[sizes.length],
    'oracle-ml-tree': {...createPredictor(tree), certificate: {noisyOr}},
    'oracle-ml-independent': {...createPredictor(independent), certificate: {noisyOr}}
  }

  function tasksOf(sample: readonly TaggedDocument[]): ClassifierTask[] {
    return concepts.map((concept, i) => {
      const observed = Uint8Array.from(sample, ({labels}) => labels[i])
      const prevalence = (observed.filter(Boolean).length + 0.5) / (observed.length + 1)
      const target = labelFault('its tag occurs', observed, 1) ?? noisyTarget('anchor', observed, concept)
      return {concept: {name: concept.name, prevalence}, observed, target, without: []}
    })
  }

  function regress({sample, tasks}: (typeof samples)[number]): Baseline {
    const toUnitLength = {idf, typical: 1, usualIdf: 1}
    const scaleOf = ({words, anchors}: Evidence) =>
      documentScale(toUnitLength, [...words, ...anchors.map(i => lexicon.words.length + i)])
    const rows = {...corpusRows({lexicon, documents: sample}), scale: Float64Array.from(sample, scaleOf), idf}
    const {classifiers, certificate} = trainClassifiers(rows, tasks, checked, step)
    const scores = conceptScores(classifiers, lexicon.words.length, scaleOf)
    const prevalence = tasks.map(({concept}) => concept.prevalence)
    return {...classifierBaseline(scores, prevalence, certificate), labelled: sample.length}
  }
}

/** log((1 + N) / (1 + documents with the column)) + 1 of every word and every anchor, which is one more word. */
function inverseFrequencies(corpus: Corpus): number[] {
  const {rowCount, columns} = corpusRows(corpus)
  return Array.from(columns.starts.subarray(1), (end, j) => log((1 + rowCount) / (1 + end - columns.starts[j])) + 1)
}

type TaggedDocument = CorpusDocument & {readonly labels: Int8Array}

function isTagged(document: CorpusDocument): document is TaggedDocument {
  return document.labels !== undefined && !document.labels.includes(-1)
}
