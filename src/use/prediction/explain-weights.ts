import {log, sigmoid} from '../../base/numeric/index.ts'
import {lengthFactor, type WordWeights} from '../../learn/words/index.ts'
import {type Contribution, type Parts, type Reading, readAgain, toggled, totalOf, wordName} from './explain-parts.ts'

/** What says less than this, either way, is not named. */
const WORTH_NAMING = 0.02

/**
 * An explanation by words in log-odds, which add up as they are: no order of hearing them, no game.
 *
 * Word weights have one constant for each state of the concept's own anchor. It is taken apart into what Bayes' rule makes
 * of the anchor, log P(A|Y=1) / P(A|Y=0), the same as by noisy-or links, and the rest, `balance`: what was added so that
 * words and other anchors leave the mean probability of such documents where the rates put it. Where the anchor fired,
 * known tags and other anchors say nothing and are not spoken of. Cost: a posterior for each figure that is named.
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
    ...(anchor === 'fired' ? [] : knownTags(reading, wordModel)),
    ...own,
    ...words,
    ...(anchor === 'silent' ? otherAnchors(reading, wordModel) : []),
    // `fired` stands in place of the prior and all; the others are added to it.
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

function knownTags(reading: Reading, {company}: WordWeights): Contribution[] {
  const {model, i, tags, conceptLimit} = reading
  const says = [...tags.keys()]
    .filter(k => tags[k] !== -1)
    .map(k => ({k, logOdds: (tags[k] === 1 ? company.presentTag : company.absentTag)[i][k]}))
  const {named, rest} = shortened(says, conceptLimit)
  const contributions = named.map(({k, logOdds}): Contribution => {
    const otherwise = readAgain(reading, {known: tags.with(k, 1 - tags[k])})
    return {kind: 'known', concept: model.concepts[k].name, present: tags[k] === 1, logOdds, otherwise}
  })
  return rest.count > 0 ? [...contributions, {kind: 'rest', of: 'known-tags', ...rest}] : contributions
}

/** All that fired by name, and the strongest of those that did not. */
function otherAnchors(reading: Reading, {company}: WordWeights): Contribution[] {
  const {model, evidence, i, tags, absentLimit} = reading
  const others = [...tags.keys()].filter(k => k !== i && tags[k] === -1)
  const hasFired = (k: number) => evidence.anchors.includes(k)
  const name = ({k, logOdds}: Say): Contribution => ({
    kind: 'other-anchor',
    concept: model.concepts[k].name,
    fired: hasFired(k),
    logOdds,
    otherwise: readAgain(reading, {anchors: toggled(evidence.anchors, k)})
  })
  const fired = others.filter(hasFired).map(k => ({k, logOdds: company.firedAnchor[i][k]}))
  const silent = others.filter(k => !hasFired(k)).map(k => ({k, logOdds: company.silentAnchor[i][k]}))
  const {named, rest} = shortened(silent, absentLimit)
  const contributions = [...fired.sort(strongestFirst), ...named].map(name)
  return rest.count > 0 ? [...contributions, {kind: 'rest', of: 'silent-anchors', ...rest}] : contributions
}

/** What concept k says. */
interface Say {
  readonly k: number
  readonly logOdds: number
}

/** At most `limit` by name, the strongest first; the others together. */
function shortened(says: readonly Say[], limit: number): {named: Say[]; rest: {count: number; logOdds: number}} {
  const sorted = says.toSorted(strongestFirst)
  const named = sorted.slice(0, limit).filter(({logOdds}) => Math.abs(logOdds) >= WORTH_NAMING)
  const rest = sorted.slice(named.length)
  return {named, rest: {count: rest.length, logOdds: rest.reduce((sum, {logOdds}) => sum + logOdds, 0)}}
}

/** Equals stay in the order of their numbers. */
function strongestFirst(a: {readonly logOdds: number}, b: {readonly logOdds: number}): number {
  return Math.abs(b.logOdds) - Math.abs(a.logOdds)
}
