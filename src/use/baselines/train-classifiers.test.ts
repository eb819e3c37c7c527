import {describe, expect, test} from 'vitest'
import {rng, sigmoid} from '../../base/numeric/index.ts'
import {corpusRows, dealFolds, fitLogistic, logOdds, type SparseRows, sparseRows} from '../../learn/classifier/index.ts'
import {type NoisyLoss, noisyTarget} from './noisy-labels.ts'
import {corpusOf, learnableModel} from './test-corpora.ts'
import {type ClassifierTask, fitsNeeded, trainClassifiers} from './train-classifiers.ts'

const options = {ridges: [0.1, 1, 10, 1000], seed: 0, tolerance: 1e-6, stepLimit: 200}
const rates = {truePositive: 0.5, falsePositive: 0.05}

/** Rows of eight columns with weights that are known, and anchors that fire by `rates`. */
function drawNoisy(count: number, seed: number) {
  const random = rng(seed)
  const labels = [2, -1.5, 1, 0, 1.5, -1, 0.5, 0]
  const lists = Array.from({length: count}, () => labels.flatMap((_, j) => (random.next() < 0.4 ? [j] : [])))
  const odds = lists.map(list => list.reduce((z, j) => z + labels[j], -1.5))
  const fired = odds.map(z => {
    const y = random.next() < sigmoid(z)
    return random.next() < (y ? rates.truePositive : rates.falsePositive) ? 1 : 0
  })
  return {rows: sparseRows(labels.length, lists), odds, fired}
}

function task(loss: NoisyLoss, fired: readonly number[]): ClassifierTask {
  return {observed: fired, target: noisyTarget(loss, fired, rates), without: [], folds: 3}
}

describe('trainClassifiers', () => {
  const {rows, fired} = drawNoisy(400, 1)
  const tasks = (['anchor', 'unbiased', 'weighted'] as const).map(loss => task(loss, fired))

  test('trainClassifiers(..., {ridges: [one]}) is fitLogistic on each target', () => {
    const {classifiers, certificate} = trainClassifiers(rows, tasks, {...options, ridges: [2]})
    expect(certificate).toEqual({ridge: 2, heldOut: [], unfinished: 0})
    tasks.forEach(({target: {labels, rowWeights}}, at) => {
      const alone = fitLogistic(rows, labels, {ridge: 2, tolerance: 1e-6, rowWeights})
      expect([...classifiers[at].weights]).toEqual([...alone.weights])
    })
  })

  test('trainClassifiers(...) takes the ridge under which held-out anchors are likeliest', () => {
    const {certificate} = trainClassifiers(rows, tasks, options)
    const best = Math.max(...certificate.heldOut.map(trial => trial.logLikelihood))
    expect(certificate.heldOut.map(trial => trial.ridge)).toEqual(options.ridges)
    expect(certificate.heldOut.find(trial => trial.ridge === certificate.ridge)?.logLikelihood).toBe(best)
    // A ridge of 1000 on 400 rows leaves nearly nothing but the bias.
    expect(certificate.ridge).toBeLessThan(1000)
    expect(certificate.heldOut[3].logLikelihood).toBeLessThan(best - 0.01)
  })

  test('trainClassifiers(...) judges a ridge by every fold, fitted to the others with the weights of the loss', () => {
    const folds = dealFolds(fired, {folds: 3, seed: 0})
    for (const each of tasks) {
      const {labels, rowWeights: own, anchorChance} = each.target
      const {certificate} = trainClassifiers(rows, [each], {...options, ridges: [1, 10]})
      for (const {ridge, logLikelihood} of certificate.heldOut) {
        const held = [0, 1, 2].flatMap(fold => {
          const rowWeights = labels.map((_, d) => (folds[d] === fold ? 0 : (own?.[d] ?? 1)))
          const z = logOdds(fitLogistic(rows, labels, {ridge, tolerance: 1e-6, rowWeights}), rows)
          return fired.flatMap((a, d) =>
            folds[d] === fold ? [Math.log(a ? anchorChance(z[d]) : 1 - anchorChance(z[d]))] : []
          )
        })
        expect(logLikelihood).toBeCloseTo(held.reduce((sum, term) => sum + term, 0) / held.length, 9)
      }
    }
  })

  test('trainClassifiers(...) chooses a larger ridge where words are noise', () => {
    const random = rng(3)
    const lists = Array.from({length: 200}, () =>
      Array.from({length: 40}, (_, j) => j).filter(() => random.next() < 0.3)
    )
    const noise = lists.map(() => (random.next() < 0.3 ? 1 : 0))
    const {certificate} = trainClassifiers(sparseRows(40, lists), [task('anchor', noise)], options)
    expect(certificate.ridge).toBe(1000)
  })

  test('trainClassifiers(...) tells after each fit, fitsNeeded(...) in all, and says what stayed unfinished', () => {
    for (const count of [1, 3, 13, 30]) {
      const many = Array.from({length: count}, () => tasks[0])
      let fits = 0
      const {certificate} = trainClassifiers(rows, many, {...options, stepLimit: 1}, () => fits++)
      expect(fits).toBe(fitsNeeded(many, 4))
      expect(certificate.unfinished).toBe(count)
      fits = 0
      trainClassifiers(rows, many, {...options, ridges: [1], stepLimit: 1}, () => fits++)
      expect(fits).toBe(count)
    }
  })
})

describe('noise-tolerant classifiers are consistent', () => {
  const fresh = drawNoisy(2000, 99)
  const fitted = (loss: NoisyLoss, count: number) => {
    const {rows, fired} = drawNoisy(count, 5)
    return logOdds(trainClassifiers(rows, [task(loss, fired)], {...options, ridges: [0.5]}).classifiers[0], fresh.rows)
  }
  const chanceError = (z: Float64Array) =>
    Math.sqrt(z.reduce((sum, own, d) => sum + (sigmoid(own) - sigmoid(fresh.odds[d])) ** 2, 0) / z.length)
  const wrongSigns = (z: Float64Array) => z.filter((own, d) => own > 0 !== fresh.odds[d] > 0).length / z.length

  test('the unbiased loss comes to the true chances as documents grow; the anchor as label does not', () => {
    const errors = [500, 5000, 50_000].map(count => chanceError(fitted('unbiased', count)))
    // A hundred times the documents, a tenth of the error; twice that leaves room for luck.
    expect(errors[2]).toBeLessThan(0.2 * errors[0])
    expect(errors[1]).toBeLessThan(errors[0])
    expect(errors[2]).toBeLessThan(0.02)
    expect(chanceError(fitted('anchor', 50_000))).toBeGreaterThan(0.1)
  })

  test('the weighted loss comes to the true decisions; the anchor as label does not', () => {
    expect(wrongSigns(fitted('weighted', 50_000))).toBeLessThan(0.05)
    expect(wrongSigns(fitted('weighted', 500))).toBeGreaterThan(wrongSigns(fitted('weighted', 50_000)))
    expect(wrongSigns(fitted('anchor', 50_000))).toBeGreaterThan(0.15)
  })
})

test('trainClassifiers(...) does not use the columns of `without`', () => {
  const corpus = corpusOf(learnableModel(), 300)
  const rows: SparseRows = corpusRows(corpus)
  const own = corpus.lexicon.words.length
  const fired = corpus.documents.map(({anchors}) => (anchors.includes(0) ? 1 : 0))
  const {classifiers} = trainClassifiers(rows, [{...task('anchor', fired), without: [own]}], options)
  expect(classifiers[0].weights[own]).toBe(0)
})
