import {type BayesNetwork, edgeList, isPairNetwork, type NetworkEdge} from '../../base/network/index.ts'
import {exp, mutualInformation} from '../../base/numeric/index.ts'
import {factorText, percent, printableLine} from '../../base/text/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {measuredConcepts} from '../../use/prediction/index.ts'

type Concepts = Pick<Model, 'concepts' | 'network' | 'certificate'>

/** The network as text: a tree, or of pairs a table. */
export function networkText({concepts, network, certificate}: Concepts): string {
  const isMeasured = measuredConcepts({concepts, certificate})
  return isPairNetwork(network)
    ? pairTable({concepts, network, certificate}, isMeasured)
    : conceptTree({concepts, network}, isMeasured)
}

/** Edges named per concept. */
const EDGES_SHOWN = 2

/** One line per concept, the commonest first, with the edges of greatest mutual information. */
function pairTable(model: Concepts, isMeasured: readonly boolean[]): string {
  const edges = strongestEdges(model)
  const rows = [...model.concepts.entries()]
    .toSorted(([, a], [, b]) => b.prevalence - a.prevalence)
    .map(([i, {name, prevalence}]) => {
      const own = edges.filter(({parent, child}) => parent === name || child === name)
      const named = own
        .slice(0, EDGES_SHOWN)
        .map(edge => `${edge.parent === name ? edge.child : edge.parent} ${oddsRatio(edge)}`)
      const more = own.length > EDGES_SHOWN ? [`${own.length - EDGES_SHOWN} more`] : []
      return [name, isMeasured[i] ? percent(prevalence) : 'unknown', [...named, ...more].join(', ')]
    })
  return textTable([['concept', 'share', 'odds of other concepts where it is present'], ...rows])
}

/** The edges, those of greatest mutual information first. */
export function strongestEdges({concepts, network}: Pick<Model, 'concepts' | 'network'>): NetworkEdge[] {
  return edgeList(
    network,
    concepts.map(({name}) => name)
  ).sort((a, b) => b.mutualInformation - a.mutualInformation)
}

/** "x 3.1": the odds ratio of an edge. */
export function oddsRatio({strength}: NetworkEdge): string {
  return `x ${factorText(exp(strength))}`
}

/**
 * A directed network as indented text, strongest branches first: sign, name, prevalence and the effect of each parent. Each concept
 * appears once, below its most informative parent, which is listed first; "with" and "without" a parent average over the
 * other parents at their prevalence, so that any network can be shown.
 */
function conceptTree(
  {concepts, network}: Pick<Model<BayesNetwork>, 'concepts' | 'network'>,
  isMeasured: readonly boolean[]
): string {
  const links = network.parents.map((parents, i) =>
    parents
      .map((parent, at) => {
        const [without, present] = chances(
          network.cpt[i],
          at,
          parents.map(k => concepts[k].prevalence)
        )
        const q = concepts[parent].prevalence
        const pair = [(1 - q) * (1 - without), (1 - q) * without, q * (1 - present), q * present]
        return {parent, without, present, strength: mutualInformation(Float64Array.from(pair))}
      })
      .sort((a, b) => b.strength - a.strength)
  )
  const children: number[][] = concepts.map(() => [])
  links.forEach(([strongest], i) => {
    if (strongest !== undefined) children[strongest.parent].push(i)
  })
  const lines: string[] = []
  const visit = (i: number, depth: number) => {
    const {name, prevalence} = concepts[i]
    const sign = links[i].length === 0 ? '' : links[i][0].present >= links[i][0].without ? '+ ' : '- '
    const effects = links[i].map(({parent, present, without}) =>
      isMeasured[i] && isMeasured[parent]
        ? `${percent(present)} with ${concepts[parent].name}, ${percent(without)} without`
        : `${present >= without ? 'more' : 'less'} often with ${concepts[parent].name}`
    )
    const share = isMeasured[i] ? percent(prevalence) : 'share unknown'
    lines.push(`${'  '.repeat(depth)}${sign}${name}  (${[share, ...effects].join('; ')})`)
    for (const child of children[i].toSorted((a, b) => links[b][0].strength - links[a][0].strength))
      visit(child, depth + 1)
  }
  concepts.forEach((_, i) => {
    if (links[i].length === 0) visit(i, 0)
  })
  return lines.join('\n')
}

/** P(child) without and with the parent at position `at`; the other parents are independent, at their prevalence. */
function chances(cpt: Float64Array, at: number, prevalence: readonly number[]): [without: number, present: number] {
  const sums: [number, number] = [0, 0]
  const on = (s: number, place: number) => (s >> (prevalence.length - 1 - place)) & 1
  cpt.forEach((p, s) => {
    const share = prevalence.reduce((w, q, place) => (place === at ? w : w * (on(s, place) ? q : 1 - q)), 1)
    sums[on(s, at)] += share * p
  })
  return sums
}

/** Aligned columns: numbers to the right, everything else to the left, as the last row decides. */
export function textTable(cells: readonly (readonly string[])[]): string {
  const rows = cells.map(row => row.map(printableLine))
  const widths = rows[0].map((_, column) => Math.max(...rows.map(row => row[column].length)))
  const isNumber = rows[rows.length - 1].map(cell => /^(-|[<>-]?[\d.,]+%?)$/.test(cell))
  return rows
    .map(row =>
      row.map((cell, column) => (isNumber[column] ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
    )
    .map(cells => cells.join('  ').trimEnd())
    .join('\n')
}
