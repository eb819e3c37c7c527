import {log, sigmoid} from '../../base/numeric/index.ts'
import {lengthFactor, type WordWeights} from '../../learn/words/index.ts'
import {
  type Contribution,
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
 * Word weights have one constant for each state of the concept's own anchor. It is split into the anchor's part by Bayes'
 * rule, log P(A|Y=1) / P(A|Y=0), the same as by noisy-or links, and the rest, `balance`: the offset that keeps the mean
 * probability of such documents where the rates put it. Where the anchor fired, labels and other anchors do not count
 * and are not listed. Cost: a posterior for each figure that is named.
 */
export function explainWeights(reading: Reading, wordModel: WordWeights): Parts {
  const {evidence, i, checked} = reading
  const prior = wordModel.company.prior[i]
  const anchor = checked.anchors === 'hidden' ? 'hidden' : evidence.anchors.includes(i) ? 'fired' : 'silent'
  const own = ownAnchor(reading, anchor)
  const constants = checked.words === 'hidden' ? wordModel.withoutWords : wordModel.withWords
  const words = presentWords(reading, wordModel, anchor === 'fired' ? wordModel.firedShare : 1)
  const contributions: Contribution[] = [
    {kind: 'prior', probability: sigmoid(prior), logOdds: prior},
    ...(anchor === 'fired' ? [] : labelledConcepts(reading, wordModel)),
    ...own,
    ...words,
    ...(anchor === 'silent' ? otherAnchors(reading, wordModel) : []),
    // `fired` includes the prior; the other constants are added to it.
    {kind: 'balance', logOdds: constants[anchor][i] - totalOf(own) - (anchor === 'fired' ? prior : 0)}
  ]
  const otherWords = checked.words === 'hidden' ? 0 : evidence.words.length - words.length
  return {contributions, logOdds: totalOf(contributions), otherWords}
}

function ownAnchor(reading: Reading, anchor: 'silent' | 'fired' | 'hidden'): Contribution[] {
  if (anchor === 'hidden') return []
  const {model, evidence, i} = reading
  const {truePositive: t, falsePositive: e} = model.concepts[i]
  const fired = anchor === 'fired'
  const otherwise = readAgain(reading, {anchors: toggled(evidence.anchors, i)})
  return [{kind: 'anchor', fired, logOdds: log(fired ? t / e : (1 - t) / (1 - e)), otherwise}]
}

function presentWords(reading: Reading, {weights, length}: WordWeights, share: number): Contribution[] {
  const {model, evidence, i, checked} = reading
  if (checked.words === 'hidden') return []
  const factor = share * lengthFactor(length, evidence.words.length)
  return evidence.words
    .filter(j => weights[i][j] !== 0)
    .map(
      (j): Contribution => ({
        kind: 'word',
        word: wordName(model, j),
        present: true,
        logOdds: factor * weights[i][j],
        otherwise: readAgain(reading, {words: toggled(evidence.words, j)})
      })
    )
    .sort(strongestFirst)
}

function labelledConcepts(reading: Reading, {company}: WordWeights): Contribution[] {
  const {model, i, labels, conceptLimit} = reading
  const labelled = [...labels.keys()]
    .filter(k => labels[k] !== -1)
    .map(k => ({k, logOdds: (labels[k] === 1 ? company.presentTag : company.absentTag)[i][k]}))
  const {named, rest} = shortened(labelled, conceptLimit)
  const contributions = named.map(({k, logOdds}): Contribution => {
    const otherwise = readAgain(reading, {labels: labels.with(k, 1 - labels[k])})
    return {kind: 'known', concept: model.concepts[k].name, present: labels[k] === 1, logOdds, otherwise}
  })
  return rest.count > 0 ? [...contributions, {kind: 'rest', of: 'known-tags', ...rest}] : contributions
}

/** All that fired by name, and the strongest of those that did not. */
function otherAnchors(reading: Reading, {company}: WordWeights): Contribution[] {
  const {model, evidence, i, labels, absentLimit} = reading
  const others = [...labels.keys()]
    .filter(k => k !== i && labels[k] === -1)
    .map(k => {
      const fired = evidence.anchors.includes(k)
      return {k, fired, logOdds: (fired ? company.firedAnchor : company.silentAnchor)[i][k]}
    })
  const fired = others.filter(other => other.fired).sort(strongestFirst)
  const {named, rest} = shortened(
    others.filter(other => !other.fired),
    absentLimit
  )
  const contributions = [...fired, ...named].map(
    ({k, fired, logOdds}): Contribution => ({
      kind: 'other-anchor',
      concept: model.concepts[k].name,
      fired,
      logOdds,
      otherwise: readAgain(reading, {anchors: toggled(evidence.anchors, k)})
    })
  )
  return rest.count > 0 ? [...contributions, {kind: 'rest', of: 'silent-anchors', ...rest}] : contributions
}
