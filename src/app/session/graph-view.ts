/** What the Graph page shows: the concepts in clusters, and their links as numbers and in words. */
import {type EdgeConfidence, isPairNetwork} from '../../base/network/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {
  certificateFacts,
  edgeKey,
  type LinkRules,
  linkRules,
  networkNeighbours,
  oddsInWords,
  oddsText,
  shownRates,
  strengthDegree,
  strengthInWords
} from '../../use/facts/index.ts'
import {measuredConcepts} from '../../use/prediction/index.ts'
import {clustersOf} from './clusters.ts'

export interface GraphView {
  /** Of the project that the model is learned from. */
  readonly revision: number
  readonly concepts: readonly GraphConcept[]
  /** Strongest first. */
  readonly links: readonly LinkView[]
  /** How the network was found: "pairs", "chow-liu, optimal". */
  readonly method: string
  readonly isOfPairs: boolean
  /** That the model was learned by. */
  readonly rules: LinkRules
}

export interface GraphConcept {
  readonly name: string
  /** The share of documents that have it; absent where nobody measured it. */
  readonly prevalence?: number
  /** From 0, the largest first. */
  readonly cluster: number
}

/** Two concepts that have to do with each other, by their numbers. */
export interface LinkView {
  readonly a: number
  readonly b: number
  /** The log odds ratio; infinite where one excludes or implies the other. */
  readonly strength: number
  /** From 1, barely, to 5, far. */
  readonly degree: number
  /** "× 3.1". */
  readonly odds: string
  /** "clearly more often than by chance: 3.1 times the odds". */
  readonly words: string
  /** Absent where the prevalence of a or b was not measured. */
  readonly shares?: LinkShares
  /** The share of resamples that have the link too. */
  readonly sure?: number
}

export interface LinkShares {
  /** The share of documents with b among those with a, and among those without it. */
  readonly withA: number
  readonly withoutA: number
  /** The same of a, by b. */
  readonly withB: number
  readonly withoutB: number
}

/** `confidence`: how often resamples have each edge; that of the model's own intervals, if it has them, unless given. */
export function graphView(model: Model, revision: number, confidence?: readonly EdgeConfidence[]): GraphView {
  const certificate = certificateFacts(model)
  const given = confidence?.map(({parent, child, confidence: share}) => [edgeKey(parent, child), share] as const)
  const links = linksOf(model, given === undefined ? certificate.intervals?.edges : new Map(given))
  const clusters = clustersOf(togetherness(model.concepts.length, links))
  const {method = 'given', status} = certificate.structure ?? {}
  return {
    revision,
    concepts: model.concepts.map((concept, i) => {
      const {prevalence} = shownRates(certificate, concept) ?? {}
      return {name: concept.name, ...(prevalence && {prevalence: prevalence.value}), cluster: clusters[i]}
    }),
    links,
    // The status of pairs is that of their distribution of lifts, not of the choice of edges.
    method: status === undefined || method === 'pairs' ? method : `${method}, ${status}`,
    isOfPairs: isPairNetwork(model.network),
    rules: linkRules(model)
  }
}

function linksOf(model: Model, sure: ReadonlyMap<string, number> | undefined): LinkView[] {
  const neighbours = networkNeighbours(model)
  const isMeasured = measuredConcepts(model)
  const links = neighbours.flatMap((list, a) =>
    list
      .filter(({index}) => index > a)
      .map(({index: b, strength, shareWith, shareWithout}): LinkView => {
        const back = neighbours[b].find(({index}) => index === a)
        return {
          a,
          b,
          strength,
          degree: strengthDegree(strength),
          odds: oddsText(strength),
          words: `${strengthInWords(strength)}: ${oddsInWords(strength)}`,
          ...(isMeasured[a] &&
            isMeasured[b] && {
              shares: {
                withA: shareWith,
                withoutA: shareWithout,
                withB: back?.shareWith ?? 0,
                withoutB: back?.shareWithout ?? 0
              }
            }),
          ...(sure && {sure: sure.get(edgeKey(model.concepts[a].name, model.concepts[b].name)) ?? 0})
        }
      })
  )
  return links.sort((x, y) => Math.abs(y.strength) - Math.abs(x.strength) || x.a - y.a || x.b - y.b)
}

/** Certainty weighs no more than a factor of 20,000. */
const MOST = 10

/** Concepts that exclude each other are in no cluster for that. */
function togetherness(size: number, links: readonly LinkView[]): number[][] {
  const weights = Array.from({length: size}, () => new Array<number>(size).fill(0))
  for (const {a, b, strength} of links) {
    const weight = Math.min(MOST, Math.max(0, strength))
    weights[a][b] = weight
    weights[b][a] = weight
  }
  return weights
}
