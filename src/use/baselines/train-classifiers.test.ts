import {describe, expect, test} from 'vitest'
import {rng, sigmoid} from '../../base/numeric/index.ts'
import {dealFolds, fitLogistic, logOdds, sparseRows} from '../../learn/classifier/index.ts'
import {type NoisyLoss, noisyTarget} from './noisy-labels.ts'
import {fitsNeeded, trainClassifiers} from './train-classifiers.ts'

const options = {ridges: [0.1, 1, 10, 1000], seed: 0, tolerance: 1e-6}
const rates = {truePositive: 0.5, falsePositive: 0.05}

/** Rows of eight columns with weights that are known, and anchors that fire by `rates`. */
function drawNoisy(count: number, seed: number) {
  const random = rng(seed)
  const labels = [2, -1.5, 1, 0, 1.5, -1, 0.5, 0]
  const lists = Array.from({length: count}, () => labels.flatMap((_, j) => (random.next() < 0.4 ? [j] : [])))
  const odds = lists.map(list => list.reduce((z, j) => z + labels[j], -1.5))
  const fired = Uint8Array.from(odds, z => {
    const y = random.next() < sigmoid(z)
    return random.next() < (y ? rates.truePositive : rates.falsePositive) ? 1 : 0
  })
  return {rows: sparseRows(labels.length, lists), fired}
}

function task(loss: NoisyLoss, observed: Uint8Array) {
  const concept = {name: loss, prevalence: 0.3}
  return {concept, observed, target: noisyTarget(loss, observed, rates), without: []}
}

describe('trainClassifiers', () => {
  const {rows, fired} = drawNoisy(400, 1)
  const tasks = (['anchor', 'unbiased', 'weighted'] as const).map(loss => task(loss, fired))

  test('trainClassifiers(..., {ridges: [one]}) is fitLogistic on each target', () => {
    const {classifiers, certificate} = trainClassifiers(rows, tasks, {...options, ridges: [2]})
    expect(certificate).toEqual({classifiers: {ridge: 2, heldOut: []}, untrained: []})
    tasks.forEach(({target: {labels, rowWeights}}, at) => {
      const alone = fitLogistic(rows, labels, {ridge: 2, tolerance: 1e-6, rowWeights})
      expect([...classifiers[at].weights]).toEqual([...alone.weights])
    })
  })

  test('trainClassifiers(...) takes the ridge under which held-out anchors are likeliest', () => {
    const {classifiers: certificate} = trainClassifiers(rows, tasks, options).certificate
    const best = Math.max(...certificate.heldOut.map(trial => trial.logLikelihood))
    expect(certificate.heldOut.map(trial => trial.ridge)).toEqual(options.ridges)
    expect(certificate.heldOut.find(trial => trial.ridge === certificate.ridge)?.logLikelihood).toBe(best)
    // A ridge of 1000 on 400 rows leaves nearly nothing but the bias.
    expect(certificate.ridge).toBeLessThan(1000)
    expect(certificate.heldOut[3].logLikelihood).toBeLessThan(best - 0.01)
  })

  test('trainClassifiers(...) judges a ridge by every fold, fitted to the others with the weights of the loss', () => {
    const folds = dealFolds(fired, {folds: 4, seed: 0})
    for (const each of tasks) {
      const {labels, rowWeights: own, anchorChance} = each.target
      const {classifiers: certificate} = trainClassifiers(rows, [each], {...options, ridges: [1, 10]}).certificate
      for (const {ridge, logLikelihood} of certificate.heldOut) {
        const held = [0, 1, 2, 3].flatMap(fold => {
          const rowWeights = labels.map((_, d) => (folds[d] === fold ? 0 : (own?.[d] ?? 1)))
          const z = logOdds(fitLogistic(rows, labels, {ridge, tolerance: 1e-6, rowWeights}), rows)
          return [...fired].flatMap((a, d) =>
            folds[d] === fold ? [Math.log(a ? anchorChance(z[d]) : 1 - anchorChance(z[d]))] : []
          )
        })
        expect(logLikelihood).toBeCloseTo(held.reduce((sum, term) => sum + term, 0) / held.length, 9)
      }
    }
  })

  test('trainClassifiers(...) tells after each fit, fitsNeeded(...) in all', () => {
    for (const count of [1, 3, 13]) {
      const many = Array.from({length: count}, () => tasks[0])
      let fits = 0
      trainClassifiers(rows, many, options, () => fits++)
      expect(fits).toBe(fitsNeeded(many, options))
      fits = 0
      trainClassifiers(rows, many, {...options, ridges: [1]}, () => fits++)
      expect(fits).toBe(count)
    }
  })
})
