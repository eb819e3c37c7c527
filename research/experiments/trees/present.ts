import {counted, percent} from '../../../src/base/text/index.ts'
import {edgeInWords, figure, html, htmlTable, type Markup} from '../../../src/use/report/index.ts'
import type {Experiment, Figure, Pictures, Presentation, ResultTable} from '../experiment.ts'
import type {Material} from '../material.ts'
import {bulletList, numberTable} from '../presentation.ts'
import {
  agreementText,
  compareNetworks,
  explainingSummary,
  explainingText,
  type NetworkAgreement,
  networkNames,
  networkNotes,
  pairKey,
  proofText,
  strongestEdges
} from './findings.ts'
import {
  fallOf,
  measureNetwork,
  type NetworkKind,
  networkKinds,
  type TreesCell,
  type TreesEdge,
  type TreesResult,
  type TreesRun
} from './measure.ts'

/** Relative cost: seconds for 24,000 documents and 50 concepts. The slowest come first. */
const COSTS: Readonly<Record<NetworkKind, number>> = {'two-parents': 20, tree: 2, forest: 0.2}

/** Section 5.3 and the supplement: trees, and networks with two parents per concept. A cell learns one network. */
export const trees: Experiment<TreesCell, TreesResult> = {
  name: 'trees',
  title: 'Networks of the concepts',
  cells: (_, {seed, gap}) =>
    (['two-parents', 'tree', 'forest'] as const).flatMap(network =>
      (['anchors', 'tags'] as const).map(source => ({network, source, seed, ...(gap && {gap})}))
    ),
  cost: ({network}) => COSTS[network],
  measure: measureNetwork,
  present: presentTrees
}

const STRONGEST_EDGES = 10
const STRONGEST_EXPLAINING = 3

/** A kind of network, learned from anchors and from tags. */
interface NetworkPair {
  readonly kind: NetworkKind
  readonly anchors: TreesResult
  readonly tags: TreesResult
  readonly agreement: NetworkAgreement
}

function presentTrees(runs: readonly TreesRun[], material: Material, pictures: Pictures): Presentation {
  const names = material.lexicon.anchors.map(({concept}) => concept)
  const pairs = networkKinds.map((kind): NetworkPair => {
    const [anchors, tags] = [resultOf(runs, kind, 'anchors'), resultOf(runs, kind, 'tags')]
    return {kind, anchors, tags, agreement: compareNetworks(anchors, tags)}
  })
  const figures = pairs.flatMap(pair => drawPair(pair, names, pictures))
  return {
    figures,
    tables: [networksTable(runs), edgesTable(runs, names), chancesTable(runs, names), explainingTable(runs, names)],
    html: html`${introduction(pairs)}
${summaryTable(pairs)}
${pairs.map(pair => networkPart(pair, names, figures))}
${explainingPart(pairs, names)}`
  }
}

function resultOf(runs: readonly TreesRun[], kind: NetworkKind, source: TreesCell['source']): TreesResult {
  const run = runs.find(({cell}) => cell.network === kind && cell.source === source)
  if (run === undefined) throw new Error(`internal error: no ${kind} from ${source}`)
  return run.result
}

function drawPair({kind, anchors, tags}: NetworkPair, names: readonly string[], pictures: Pictures): Figure[] {
  return Object.entries({anchors, tags}).map(([source, {parents, cpt, documents, edges}]) => {
    const name = source === 'anchors' ? kind : `${kind}-from-tags`
    const caption = `The ${networkNames[kind]}, learned from the ${source} of ${counted(documents, 'document')}: ${counted(edges.length, 'edge')} between ${counted(parents.length, 'concept')}.`
    const network = {parents, cpt: cpt.map(chances => Float64Array.from(chances))}
    return {name, caption, svg: pictures.network(network, names, {id: `trees-${name}`, title: caption})}
  })
}

function introduction(pairs: readonly NetworkPair[]): Markup {
  const documents = pairs[0].anchors.documents
  return html`<p>Section 5.3 of the paper shows a tree over its concepts and parts of a network with two parents per concept; the supplement shows both in full, for both of its corpora. It finds edges between related concepts, although the learner uses anchors alone.</p>
<p>Here the same networks are learned from the anchors of ${counted(documents, 'document')}. ${pairs.map(({kind, agreement}) => agreementText(kind, agreement)).join(' ')}</p>
`
}

function summaryTable(pairs: readonly NetworkPair[]): Markup {
  return numberTable({
    caption: 'Networks learned from anchors, and how they agree with the tags',
    head: [
      ...['network', 'edges', 'together', 'apart', 'edges from tags', 'edges in both', 'by chance'],
      ...['same sign in both', 'sign as in the tags']
    ],
    rows: pairs.map(({kind, tags, agreement: {edges, positive, negative, shared, byChance, sharedSigns, tagSigns}}) => [
      ...[networkNames[kind], edges, positive, negative, tags.edges.length, shared, byChance.toFixed(1)],
      ...[`${sharedSigns} of ${shared}`, `${tagSigns} of ${edges}`]
    ])
  })
}

function networkPart({kind, anchors, tags}: NetworkPair, names: readonly string[], figures: readonly Figure[]): Markup {
  const picture = figures.find(({name}) => name === kind)
  const name = networkNames[kind]
  return html`<h3>${name[0].toUpperCase()}${name.slice(1)}</h3>
<p>${networkNotes[kind]} ${proofText(anchors)}</p>
${picture && figure(picture.svg, picture.caption, `trees-${kind}-picture`)}
${anchors.edges.length === 0 ? undefined : strongestTable(kind, anchors, tags, names)}`
}

function strongestTable(kind: NetworkKind, anchors: TreesResult, tags: TreesResult, names: readonly string[]): Markup {
  const edges = strongestEdges(anchors, STRONGEST_EDGES)
  const fromTags = new Set(tags.edges.map(pairKey))
  const others = anchors.parents.some(list => list.length > 1) ? ', averaged over other parents' : ''
  return htmlTable({
    caption: `The ${counted(edges.length, 'edge')} with the most mutual information in the ${networkNames[kind]}${others}`,
    head: ['edge', 'according to the tags', 'mutual information (nats)', 'edge from tags too'],
    rows: edges.map(edge => [
      edgeInWords({...edge, parent: names[edge.parent], child: names[edge.child]}),
      tagText(edge),
      edge.mutualInformation.toFixed(4),
      fromTags.has(pairKey(edge)) ? 'yes' : 'no'
    ]),
    align: ['left', 'left', 'right', 'left']
  })
}

/** The probabilities of the child according to the tags. */
function tagText({tagged: [neither, child, parent, both]}: TreesEdge): string {
  const share = (some: number, rest: number) => (some + rest === 0 ? 'no document' : percent(some / (some + rest)))
  return `${share(both, parent)} with, ${share(child, neither)} without`
}

function explainingPart(pairs: readonly NetworkPair[], names: readonly string[]): Markup {
  const all = pairs.find(({kind}) => kind === 'two-parents')?.anchors.explaining ?? []
  const strongest = all.filter(each => fallOf(each) > 0).slice(0, STRONGEST_EXPLAINING)
  const list = html`<p>The largest drops of the other parent:</p>
${bulletList(strongest.map(each => explainingText(each, names)))}`
  return html`<h3>Explaining away</h3>
<p>The example of the paper: cellulitis and pneumonia can both cause septic shock, and once one of them is known, the other becomes less likely. ${explainingSummary(all)}</p>
${strongest.length === 0 ? undefined : list}`
}

/** Every table begins with these. */
const CELL = ['network', 'learnedFrom', 'seed'] as const

function cellOf({cell: {network, source, seed}}: TreesRun): (string | number)[] {
  return [network, source, seed]
}

function networksTable(runs: readonly TreesRun[]): ResultTable {
  const head = [
    ...CELL,
    ...['documents', 'edges', 'searchMethod', 'searchStatus', 'score', 'scoreGap', 'searchSteps', 'bic'],
    ...['momentStatus', 'momentObjective', 'momentGap', 'momentSteps']
  ]
  const rows = runs.map(run => {
    const {documents, edges, search, moments} = run.result
    return [
      ...cellOf(run),
      ...[
        documents,
        edges.length,
        search.method,
        search.status,
        search.score,
        search.gap ?? '',
        search.steps ?? '',
        search.bic
      ],
      ...[moments.status, moments.objective, moments.gap, moments.steps]
    ]
  })
  return {name: 'networks', head, rows}
}

function edgesTable(runs: readonly TreesRun[], names: readonly string[]): ResultTable {
  const head = [
    ...CELL,
    ...['parent', 'child', 'sign', 'mutualInformation', 'strength', 'childWithout', 'childWith'],
    ...['tagsNeither', 'tagsChildOnly', 'tagsParentOnly', 'tagsBoth', 'alsoFromTags']
  ]
  const fromTags = new Map(
    runs
      .filter(({cell}) => cell.source === 'tags')
      .map(({cell, result}) => [cell.network, new Set(result.edges.map(pairKey))])
  )
  const rows = runs.flatMap(run =>
    run.result.edges.map(edge => [
      ...cellOf(run),
      ...[names[edge.parent], names[edge.child], edge.sign, edge.mutualInformation, edge.strength],
      ...[edge.childWithout, edge.childWith, ...edge.tagged],
      fromTags.get(run.cell.network)?.has(pairKey(edge)) ? 'yes' : 'no'
    ])
  )
  return {name: 'edges', head, rows}
}

/** P(concept | parents): the states of the parents as digits, in their order. */
function chancesTable(runs: readonly TreesRun[], names: readonly string[]): ResultTable {
  const head = [...CELL, 'concept', 'parents', 'parentStates', 'probability']
  const rows = runs.flatMap(run =>
    run.result.cpt.flatMap((chances, i) => {
      const parents = run.result.parents[i]
      const states = (row: number) => (parents.length === 0 ? '' : row.toString(2).padStart(parents.length, '0'))
      const list = parents.map(k => names[k]).join('|')
      return chances.map((chance, row) => [...cellOf(run), names[i], list, states(row), chance])
    })
  )
  return {name: 'probabilities', head, rows}
}

function explainingTable(runs: readonly TreesRun[], names: readonly string[]): ResultTable {
  const head = [
    ...CELL,
    ...['child', 'knownParent', 'otherParent', 'other', 'otherGivenChild', 'otherGivenChildAndKnown'],
    ...['tagsChild', 'tagsChildOther', 'tagsChildKnown', 'tagsAll']
  ]
  const rows = runs.flatMap(run =>
    run.result.explaining.map(({child, known, other, chance, givenChild, givenBoth, tagged}) => [
      ...cellOf(run),
      ...[names[child], names[known], names[other], chance, givenChild, givenBoth, ...tagged]
    ])
  )
  return {name: 'explaining-away', head, rows}
}
