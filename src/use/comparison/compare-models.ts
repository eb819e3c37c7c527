import {type Model, topWords} from '../../learn/model/index.ts'
import type {Anchor} from '../../read/data/index.ts'
import {certificateFacts, type Estimate, shownRates} from '../facts/index.ts'
import {compareEdges, type EdgeChange, type Side} from './compare-edges.ts'
import {crossedDocuments, type Match, matchConcepts, type Renamed, type Scores} from './match-concepts.ts'
import {type Change, type Figure, isClear, verdictOf} from './verdict.ts'

export interface CompareOptions {
  /** Concepts with another name in the second model: old name to new. Concepts of equal anchors are matched without it. */
  readonly renamed?: Renamed
  /** Whether both models were learned from the same documents, where it is known. */
  readonly isSameDocuments?: boolean
  /** The probabilities of the same documents by both models, to see which cross the threshold. */
  readonly scores?: readonly [a: Scores, b: Scores]
}

/** How two models differ: plain JSON. Lists hold differences only, so two equal models give empty ones. */
export interface Comparison {
  readonly a: ComparedModel
  readonly b: ComparedModel
  readonly isSameDocuments?: boolean
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly renamed: readonly {readonly from: string; readonly to: string}[]
  /** Concepts of both models that differ in anchors, rates or words. */
  readonly concepts: readonly ConceptChange[]
  readonly edges: readonly EdgeChange[]
  /** Documents that cross the threshold, by concept; without scores undefined. */
  readonly crossed?: readonly {readonly concept: string; readonly entered: number; readonly left: number}[]
}

/** What is known of one of the models as a whole. */
export interface ComparedModel {
  readonly concepts: number
  readonly words: number
  /** Documents that it was learned from. */
  readonly documents?: number
  /** How its moments were solved: the lower the objective, the nearer to what was observed. */
  readonly moments: MomentFacts | 'no certificate'
}

export interface MomentFacts {
  readonly status: string
  readonly objective: number
  readonly gap: number
}

export interface ConceptChange {
  /** In the second model. */
  readonly concept: string
  /** Its name in the first, where that is another. */
  readonly was?: string
  /** Members of the anchor that are new or gone; vetoes as "not: word". */
  readonly anchor: {readonly gained: readonly string[]; readonly lost: readonly string[]}
  /** Those that differ. */
  readonly rates: {readonly [Name in RateName]?: Change}
  readonly words: readonly WordChange[]
}

const RATES = ['prevalence', 'precision', 'truePositive', 'falsePositive'] as const

export type RateName = (typeof RATES)[number]

/**
 * Everything in which the second model differs from the first, with a verdict where intervals allow one. Concepts with a clear change
 * of prevalence come first, the largest first; the others keep the order of the first model. Cost: O(m^2 n) for the words.
 */
export function compareModels(a: Model, b: Model, {renamed, isSameDocuments, scores}: CompareOptions = {}): Comparison {
  const matches = matchConcepts(a, b, renamed)
  const names = matches.map(([i, k]) => ({from: a.concepts[i].name, to: b.concepts[k].name}))
  const [inA, inB] = [new Set(names.map(({from}) => from)), new Set(names.map(({to}) => to))]
  const sides = [a, b].map(model => ({model, facts: certificateFacts(model)}))
  const [before, after] = sides
  const changes = matches.map(match => conceptChange(before, after, match))
  return {
    a: comparedModel(before),
    b: comparedModel(after),
    ...(isSameDocuments !== undefined && {isSameDocuments}),
    added: b.concepts.map(({name}) => name).filter(name => !inB.has(name)),
    removed: a.concepts.map(({name}) => name).filter(name => !inA.has(name)),
    renamed: names.filter(({from, to}) => from !== to),
    concepts: changes.filter(isChanged).sort((x, y) => clearSize(y) - clearSize(x)),
    edges: compareEdges(before, after, matches),
    ...(scores && {
      crossed: crossedDocuments(matches, ...scores)
        .filter(({entered, left}) => entered.length + left.length > 0)
        .map(({match: [, k], entered, left}) => {
          return {concept: b.concepts[k].name, entered: entered.length, left: left.length}
        })
    })
  }
}

function comparedModel({model: {concepts, lexicon, options}, facts: {moments}}: Side): ComparedModel {
  const {documents} = options
  return {
    concepts: concepts.length,
    words: lexicon.words.length,
    ...(typeof documents === 'number' && {documents}),
    moments: moments ? {status: moments.status, objective: moments.objective, gap: moments.gap} : 'no certificate'
  }
}

function conceptChange(a: Side, b: Side, [i, k]: Match): ConceptChange {
  const [from, to] = [a.model.concepts[i].name, b.model.concepts[k].name]
  const [before, after] = [figuresOf(a, i), figuresOf(b, k)]
  const rates = RATES.flatMap((name): [RateName, Change][] => {
    const [x, y] = [before.rates?.[name], after.rates?.[name]]
    // A rate that nobody measured cannot change.
    if (x === undefined || y === undefined || x.value === y.value) return []
    const verdict = before.isCertified && after.isCertified ? verdictOf(x, y) : 'no certificate'
    return [[name, {a: x, b: y, verdict}]]
  })
  const [own, other] = [membersOf(a.model.lexicon.anchors[i]), membersOf(b.model.lexicon.anchors[k])]
  return {
    concept: to,
    ...(from !== to && {was: from}),
    anchor: {
      gained: other.filter(member => !own.includes(member)),
      lost: own.filter(member => !other.includes(member))
    },
    rates: Object.fromEntries(rates),
    words: compareWords(a.model, i, b.model, k)
  }
}

function membersOf({any, not}: Anchor): string[] {
  return [...any, ...not.map(member => `not: ${member}`)]
}

/** The rates that people read, with what is known of their intervals: given rates are exact. */
function figuresOf({model, facts}: Side, i: number) {
  const concept = model.concepts[i]
  const noise = facts.noise?.concepts.get(concept.name)
  const isGiven = noise?.basis === 'given'
  const shown = shownRates(facts, concept)
  const figure = ({value, ...ends}: Estimate): Figure => ({value, ...(isGiven && {low: value, high: value}), ...ends})
  return {
    isCertified: noise !== undefined || facts.intervals?.concepts.has(concept.name) === true,
    rates: shown && Object.fromEntries(RATES.map(name => [name, figure(shown[name])]))
  }
}

function isChanged({was, anchor, rates, words}: ConceptChange): boolean {
  const {gained, lost} = anchor
  return was !== undefined || gained.length + lost.length + words.length + Object.keys(rates).length > 0
}

/** What has no clear change is not ranked. */
function clearSize({rates: {prevalence}}: ConceptChange): number {
  return prevalence && isClear(prevalence.verdict) ? Math.abs(prevalence.b.value - prevalence.a.value) : -1
}

/** Places of a word among the first words of a concept, from 1; undefined beyond them. */
export interface WordChange {
  readonly word: string
  readonly a?: number
  readonly b?: number
}

/** The first words of a concept that are compared. */
export const FIRST_WORDS = 20
/** Words in both lists that moved most, by at least so many places. */
const MOVED = 5
const LEAST_PLACES = 5

/** Words that enter or leave the first 20 of a concept, and those inside that moved most: entered, left, moved. */
function compareWords(a: Model, i: number, b: Model, k: number): WordChange[] {
  const [before, after] = [places(a, i), places(b, k)]
  const entered = [...after].filter(([word]) => !before.has(word)).map(([word, to]) => ({word, b: to}))
  const left = [...before].filter(([word]) => !after.has(word)).map(([word, from]) => ({word, a: from}))
  const moved = [...before]
    .flatMap(([word, from]) => {
      const to = after.get(word)
      return to === undefined || Math.abs(to - from) < LEAST_PLACES ? [] : [{word, a: from, b: to}]
    })
    // Equally far: the words first by either list, so that both directions choose the same.
    .sort(
      (x, y) =>
        Math.abs(y.b - y.a) - Math.abs(x.b - x.a) ||
        Math.min(x.a, x.b) - Math.min(y.a, y.b) ||
        (x.word < y.word ? -1 : 1)
    )
    .slice(0, MOVED)
  return [...entered, ...left, ...moved]
}

function places(model: Model, i: number): Map<string, number> {
  return new Map(topWords(model, i, FIRST_WORDS).map(({word}, at) => [word, at + 1]))
}
