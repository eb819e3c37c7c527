import {edgeList, junctionTree} from '../../base/network/index.ts'
import {log} from '../../base/numeric/index.ts'
import type {Model} from '../../learn/model/index.ts'

/** What one concept says of a concept beside it in the network. */
export interface Neighbour {
  readonly index: number
  /** P(neighbour) in documents that have the concept, and in those that do not. */
  readonly shareWith: number
  readonly shareWithout: number
  /** The log odds ratio of the edge, the same from both of its ends; infinite where one chance is 0 or 1. */
  readonly strength: number
}

interface Link {
  readonly parent: number
  readonly child: number
  readonly childWithout: number
  readonly childWith: number
}

/** Whether the network can be summed over exactly, as pictures of it need. */
export function isReadable({network}: Pick<Model, 'network'>): boolean {
  return junctionTree(network) !== undefined
}

/**
 * The neighbours of every concept, strongest first, each seen from that concept: what its presence makes of the neighbour.
 * From a child's side that is Bayes' rule with the parent's prevalence. In networks too tangled for exact sums the other
 * parents of a child are taken as independent.
 */
export function networkNeighbours(model: Pick<Model, 'network' | 'concepts'>): Neighbour[][] {
  const neighbours: Neighbour[][] = model.concepts.map(() => [])
  for (const {parent, child, childWithout, childWith} of linksOf(model)) {
    const p = model.concepts[parent].prevalence
    const strength = childWith === childWithout ? 0 : logOdds(childWith) - logOdds(childWithout)
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
  }
  return neighbours.map(list => list.sort((a, b) => Math.abs(b.strength) - Math.abs(a.strength) || a.index - b.index))
}

function linksOf(model: Pick<Model, 'network' | 'concepts'>): Link[] {
  const {network, concepts} = model
  if (!isReadable(model))
    return network.parents.flatMap((parents, child) =>
      parents.map((parent, at) => ({parent, child, ...meanChances(model, child, at)}))
    )
  const names = concepts.map(({name}) => name)
  const index = new Map(names.map((name, i) => [name, i]))
  return edgeList(network, names).map(({parent, child, childWithout, childWith}) => ({
    parent: index.get(parent) ?? -1,
    child: index.get(child) ?? -1,
    childWithout,
    childWith
  }))
}

/** P(child) without and with its parent at place `at`, the others independent and at their prevalence. */
function meanChances({network, concepts}: Pick<Model, 'network' | 'concepts'>, child: number, at: number) {
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

function logOdds(p: number): number {
  return log(p / (1 - p))
}
