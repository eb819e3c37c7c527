/**
 * Two questions about words, with rates given by the tags, so that only predictions differ.
 *
 * - intervals: how far intervals of word weights can be trusted (docs/report.md). Weights are learned from two halves of the training
 *   documents, and the words that each half shows (15 for and 15 against each concept) are looked up in the other. Both estimates
 *   vary, so a difference should lie within 1.645 sqrt(2) standard errors for 90% of the words.
 * - suppression: what withholding small cells costs (docs/pooling.md). One site fits from tables of order 2, by the smallest released
 *   cell, or from whole counts of the remaining concepts; word weights are from counts alone.
 *
 * Command: npx tsx research/quality/words.ts intervals|suppression [CORPUS...]
 */
import {hashShare} from '../../src/base/numeric/index.ts'
import {grouped} from '../../src/base/text/index.ts'
import {fit} from '../../src/learn/fit.ts'
import {type Model, topWeights} from '../../src/learn/model/index.ts'
import {type Counts, countCorpus, dropConcepts} from '../../src/read/counts/index.ts'
import {withConcepts} from '../../src/read/data/index.ts'
import {releaseCounts, releaseToCounts, withheldNumbers} from '../../src/read/pooling/index.ts'
import {createPredictor} from '../../src/use/prediction/index.ts'
import {mean} from '../spread.ts'
import type {QualityCorpus} from './corpora.ts'
import {measure} from './measure.ts'
import type {QualityProblem} from './problem.ts'
import {givenRates} from './rates.ts'
import {firstSplit, runStudy} from './study.ts'

const SHOWN_WORDS = 15

await runStudy({
  intervals: {
    head: ['corpus', 'documents in a half', 'words for', 'repeated', 'words against', 'repeated'],
    corpora: ['cooking', 'debian-packages', 'stackoverflow-bodies', 'chest-xray'],
    rows: repeatedWords
  },
  suppression: {
    head: ['corpus', 'documents', 'words', 'c', 'concepts', 'withheld', 'last tag', 'whole', 'precision', 'whole'],
    corpora: ['cooking', 'chest-xray', 'stackoverflow-titles'],
    async *rows(corpus) {
      const problem = await firstSplit(corpus)
      const counts = givenRates(problem.counts)
      for (const minCell of [0, 5, 10, 20]) {
        const release = releaseCounts(counts, {minCell})
        const told = releaseToCounts(release)
        const kept = new Set(told.lexicon.anchors.map(({concept}) => concept))
        const dropped = counts.lexicon.anchors.flatMap(({concept}) =>
          kept.has(concept) ? [] : [{concept, reason: 'withheld'}]
        )
        const [tables, whole] = [
          await figuresOf(told, problem),
          await figuresOf(dropConcepts(counts, dropped), problem)
        ]
        yield [
          ...[corpus.name, grouped(counts.documentCount), grouped(counts.lexicon.words.length), minCell, kept.size],
          `${Math.round((100 * withheldNumbers(release)) / release.low.length)}%`,
          ...[tables.lastTag, whole.lastTag, tables.averagePrecision, whole.averagePrecision].map(x => x.toFixed(3))
        ]
      }
    }
  }
})

async function* repeatedWords(corpus: QualityCorpus) {
  const {counts, training} = await firstSplit(corpus)
  const {lexicon} = givenRates(counts)
  const halves = await Promise.all(
    [0, 1].map(async half => {
      const documents = training.documents.filter(({key}) => Math.floor(2 * hashShare(key, 1)) === half)
      const part = {lexicon, documents}
      return fit(countCorpus(part), {noise: 'given', words: 'weights'}, {documents: part})
    })
  )
  const cells = ([1, -1] as const).flatMap(sign => {
    const repeated = [...areRepeated(halves[0], halves[1], sign), ...areRepeated(halves[1], halves[0], sign)]
    return [repeated.length, mean(repeated.map(Number)).toFixed(3)]
  })
  yield [corpus.name, Math.round(training.documents.length / 2), ...cells]
}

/** Whether the other half agrees, for each word shown by the first. */
function areRepeated(model: Model, {wordModel: other}: Model, sign: 1 | -1): boolean[] {
  const place = new Map(model.lexicon.words.map((word, j) => [word, j]))
  return model.concepts.flatMap((_, i) =>
    topWeights(model, i, SHOWN_WORDS, sign).map(({word, logOdds, range}) => {
      if (other.kind !== 'weights' || range === undefined) throw new Error(`no interval of "${word}"`)
      return Math.abs(other.weights[i][place.get(word) ?? -1] - logOdds) < (Math.SQRT2 * (range[1] - range[0])) / 2
    })
  )
}

async function figuresOf(counts: Counts, {heldOut}: QualityProblem) {
  const model = await fit(counts, {noise: 'given'})
  const method = {name: 'fitted', seconds: 0, ...createPredictor(model)}
  const [row] = measure([method], model, withConcepts(heldOut, counts.lexicon)).slice(-1)
  return row
}
