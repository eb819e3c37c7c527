import {edgeList, junctionTree, type NetworkEdge, networkEdges} from '../../base/network/index.ts'
import {logit} from '../../base/numeric/index.ts'
import {percent} from '../../base/text/index.ts'
import type {Model} from '../../learn/model/index.ts'

/** A concept joined to another by an edge, seen from that other. */
export interface Neighbour {
  readonly index: number
  /** P(neighbour) in documents that have the concept, and in those that do not. */
  readonly shareWith: number
  readonly shareWithout: number
  /** The log odds ratio of the edge, the same from both of its ends; infinite where one chance is 0 or 1. */
  readonly strength: number
}

/** Whether exact sums over the network are feasible, as its picture needs. */
export function isDrawable({network}: Pick<Model, 'network'>): boolean {
  return junctionTree(network) !== undefined
}

/**
 * The neighbours of every concept, strongest first: how likely each is with and without that concept. From a child's
 * side that is Bayes' rule with the parent's prevalence. In networks too dense for exact sums the other parents of a child
 * are taken as independent.
 */
export function networkNeighbours(model: Pick<Model, 'network' | 'concepts'>): Neighbour[][] {
  const neighbours: Neighbour[][] = model.concepts.map(() => [])
  const chances = edgeChances(model)
  networkEdges(model.network).forEach(([parent, child], at) => {
    const {childWithout, childWith} = chances[at]
    const p = model.concepts[parent].prevalence
    const strength = childWith === childWithout ? 0 : logit(childWith) - logit(childWithout)
    const parentGiven = (chanceWith: number, chanceWithout: number) => {
      const both = p * chanceWith
      return both === 0 ? 0 : both / (both + (1 - p) * chanceWithout)
    }
    neighbours[parent].push({index: child, shareWith: childWith, shareWithout: childWithout, strength})
    neighbours[child].push({
      index: parent,
      shareWith: parentGiven(childWith, childWithout),
      shareWithout: parentGiven(1 - childWith, 1 - childWithout),
      strength
    })
  })
  return neighbours.map(list => list.sort((a, b) => Math.abs(b.strength) - Math.abs(a.strength) || a.index - b.index))
}

type EdgeChances = Pick<NetworkEdge, 'childWithout' | 'childWith'>

/** In the order of the network's edges. */
function edgeChances(model: Pick<Model, 'network' | 'concepts'>): EdgeChances[] {
  const {network, concepts} = model
  if (isDrawable(model))
    return edgeList(
      network,
      concepts.map(({name}) => name)
    )
  return network.parents.flatMap((parents, child) => parents.map((_, at) => meanChances(model, child, at)))
}

/** P(child) without and with its parent at place `at`; the other parents are independent, at their prevalence. */
function meanChances({network, concepts}: Pick<Model, 'network' | 'concepts'>, child: number, at: number): EdgeChances {
  const parents = network.parents[child]
  const isOn = (row: number, place: number) => ((row >> (parents.length - 1 - place)) & 1) === 1
  let [childWithout, childWith] = [0, 0]
  network.cpt[child].forEach((chance, row) => {
    const share = parents.reduce((product, k, place) => {
      const p = concepts[k].prevalence
      return place === at ? product : product * (isOn(row, place) ? p : 1 - p)
    }, 1)
    if (isOn(row, at)) childWith += share * chance
    else childWithout += share * chance
  })
  return {childWithout, childWith}
}

/**
 * How often two concepts occur together, in words: "far more often than by chance". The bounds are odds ratios of about 1.5,
 * 3, 10 and 50.
 */
export function strengthInWords(strength: number): string {
  if (strength === 0) return 'as often as by chance'
  return `${degreeOf(Math.abs(strength))} ${strength > 0 ? 'more' : 'less'} often than by chance`
}

function degreeOf(size: number): string {
  if (size < 0.4) return 'hardly'
  if (size < 1.1) return 'slightly'
  if (size < 2.3) return 'clearly'
  return size < 3.9 ? 'far' : 'vastly'
}

/** "flu and fever occur together far more often than by chance; fever is in 60% of documents with flu, in 10% without". */
export function edgeInWords({parent, child, sign, strength, childWith, childWithout}: NetworkEdge): string {
  const how = strengthInWords(sign === 'none' ? 0 : strength)
  return `${parent} and ${child} occur together ${how}; ${child} is in ${percent(childWith)} of documents with ${parent}, in ${percent(childWithout)} without`
}
