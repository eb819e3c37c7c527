import {createBeliefs} from '../../base/network/index.ts'
import {log, sigmoid} from '../../base/numeric/index.ts'
import {anchorConstants, WeightReader} from '../../learn/inference/index.ts'
import {lengthFactor, type WordWeights, weightRange} from '../../learn/words/index.ts'
import {
  type Contribution,
  isFired,
  linkedTo,
  type Parts,
  type Reading,
  readAgain,
  shortened,
  strongestFirst,
  toggled,
  totalOf,
  wordName
} from './explain-parts.ts'

/**
 * An explanation by word weights, which simply add up: no order, no game.
 *
 * The constant for the state of the concept's own anchor is split into the anchor's part by Bayes' rule,
 * log P(A|Y=1) / P(A|Y=0), the same as by noisy-or links, and the rest, `balance`: the offset that keeps the mean
 * probability of such documents where the rates put it. The beliefs of the network have a part for each other concept.
 * Where the anchor fired, other concepts do not count and are not listed. Cost: a posterior for each figure that is named.
 */
export function explainWeights(reading: Reading, wordModel: WordWeights): Parts {
  const {model, evidence, i, labels, checked} = reading
  const reader = new WeightReader(model, wordModel, checked)
  reader.logOdds(evidence, labels)
  const parts = reader.parts(i)
  const prior = createBeliefs(model.network).prior[i]
  const fired = isFired(reading, i) === true
  const own = ownAnchor(reading)
  const constants = anchorConstants(model.concepts, wordModel, checked)
  // The constant of a fired anchor includes the prior; the other is added to it.
  const constant = fired ? constants.fired[i] - prior : constants.silent[i]
  const words = presentWords(reading, wordModel, fired ? wordModel.firedShare : 1)
  const contributions: Contribution[] = [
    {kind: 'prior', probability: sigmoid(prior), logOdds: prior},
    ...(fired ? [] : labelledConcepts(reading, parts)),
    ...own,
    ...words,
    ...(fired ? [] : otherConcepts(reading, parts)),
    ...unlessZero({kind: 'balance', logOdds: constant - totalOf(own)})
  ]
  const otherWords = checked.words === 'hidden' ? 0 : evidence.words.length - words.length
  return {contributions, logOdds: totalOf(contributions), otherWords}
}

/** Only rounding errors are smaller. */
const ZERO = 1e-12

function unlessZero(contribution: Contribution): Contribution[] {
  return Math.abs(contribution.logOdds) < ZERO ? [] : [contribution]
}

function ownAnchor(reading: Reading): Contribution[] {
  const {model, evidence, i} = reading
  const fired = isFired(reading, i)
  if (fired === undefined) return []
  const {truePositive: t, falsePositive: e} = model.concepts[i]
  const otherwise = readAgain(reading, {anchors: toggled(evidence.anchors, i)})
  return [{kind: 'anchor', fired, logOdds: log(fired ? t / e : (1 - t) / (1 - e)), otherwise}]
}

function presentWords(reading: Reading, wordModel: WordWeights, share: number): Contribution[] {
  const {model, evidence, i, checked} = reading
  if (checked.words === 'hidden') return []
  const {weights, length} = wordModel
  const factor = share * lengthFactor(length, evidence.words.length)
  return evidence.words
    .filter(j => weights[i][j] !== 0)
    .map((j): Contribution => {
      const range = weightRange(wordModel, i, j)
      return {
        kind: 'word',
        word: wordName(model, j),
        present: true,
        logOdds: factor * weights[i][j],
        ...(range && {low: factor * range[0], high: factor * range[1]}),
        otherwise: readAgain(reading, {words: toggled(evidence.words, j)})
      }
    })
    .sort(strongestFirst)
}

function labelledConcepts(reading: Reading, parts: Float64Array): Contribution[] {
  const {model, labels, conceptLimit} = reading
  const labelled = [...labels.keys()].filter(k => labels[k] !== -1).map(k => ({k, logOdds: parts[k]}))
  const {named, rest} = shortened(labelled, conceptLimit)
  const contributions = named.map(({k, logOdds}): Contribution => {
    const otherwise = readAgain(reading, {labels: labels.with(k, 1 - labels[k])})
    return {kind: 'known', concept: model.concepts[k].name, present: labels[k] === 1, logOdds, otherwise}
  })
  return rest.count > 0 ? [...contributions, {kind: 'rest', of: 'known-tags', ...rest}] : contributions
}

/** Those without a label; in a directed network their parts need not add up, and the difference is a figure of its own. */
function otherConcepts(reading: Reading, parts: Float64Array): Contribution[] {
  const {model, i, labels, conceptLimit, posterior} = reading
  const others = [...labels.keys()].filter(k => k !== i && labels[k] === -1).map(k => ({k, logOdds: parts[k]}))
  const linked = linkedTo(reading)
  const {named, rest} = shortened(others, conceptLimit)
  const contributions = named.map(({k, logOdds}): Contribution => {
    const probability = posterior.probabilities[k]
    return {
      kind: 'concept',
      concept: model.concepts[k].name,
      probability,
      fired: isFired(reading, k),
      linked: linked.has(k),
      sharedWords: [],
      logOdds,
      otherwise: readAgain(reading, {labels: labels.with(k, probability < 0.5 ? 1 : 0)})
    }
  })
  if (rest.count > 0) contributions.push({kind: 'rest', of: 'concepts', ...rest})
  return [
    ...contributions,
    ...unlessZero({kind: 'rest', of: 'concepts-jointly', count: others.length, logOdds: parts[i]})
  ]
}
