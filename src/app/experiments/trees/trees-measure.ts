import {loadLinearSolver} from '../../../base/linear/index.ts'
import {edgeList, type NetworkEdge, networkEdges} from '../../../base/network/index.ts'
import {fit} from '../../../learn/fit.ts'
import type {FitOptions, Preset} from '../../../learn/presets.ts'
import {countCorpus} from '../../../read/counts/index.ts'
import type {CorpusDocument} from '../../../read/data/index.ts'
import type {Material} from '../material.ts'
import {significant} from '../significant.ts'
import {anchorCorpus, tagCorpus} from './trees-corpora.ts'
import {type ExplainingAway, explainingAway} from './trees-explaining.ts'

export const networkKinds = ['tree', 'two-parents', 'forest'] as const
export type NetworkKind = (typeof networkKinds)[number]

export type TreesCell = {
  readonly network: NetworkKind
  /** Tags: the same learner, as if every concept were its own perfect anchor. */
  readonly source: 'anchors' | 'tags'
  readonly seed: number
}

/** An edge by the numbers of its concepts. */
export type TreesEdge = {
  readonly parent: number
  readonly child: number
  readonly sign: NetworkEdge['sign']
  readonly mutualInformation: number
  readonly strength: number
  readonly childWithout: number
  readonly childWith: number
  /** Documents by their tags: neither, child only, parent only, both. */
  readonly tagged: readonly [number, number, number, number]
}

export type TreesResult = {
  readonly documents: number
  readonly parents: readonly (readonly number[])[]
  /** P(concept | parents), the first parent the most significant bit. */
  readonly cpt: readonly (readonly number[])[]
  readonly edges: readonly TreesEdge[]
  readonly explaining: readonly ExplainingAway[]
  readonly search: {
    readonly method: string
    readonly status: string
    readonly score: number
    readonly gap: number | null
    readonly steps: number | null
    readonly bic: number
  }
  readonly moments: {
    readonly status: string
    readonly objective: number
    readonly gap: number
    readonly steps: number
  }
}

/** There are no words, so the choices that concern them only keep them from being prepared for. */
const learners: Readonly<Record<NetworkKind, Partial<FitOptions> & {readonly preset: Preset}>> = {
  tree: {preset: 'paper', polytope: 'marginal'},
  'two-parents': {preset: 'paper', structure: 'indegree:2', blanketLimit: 0},
  forest: {preset: 'robust', noise: 'given', words: 'noisy-or'}
}

/** Learn one network from all documents. */
export async function measureNetwork(
  material: Material,
  {network: kind, source, seed}: TreesCell
): Promise<TreesResult> {
  const corpus = source === 'anchors' ? anchorCorpus(material) : tagCorpus(material)
  const linearSolver = await loadLinearSolver()
  const {network, concepts, certificate} = fit(countCorpus(corpus), {...learners[kind], seed}, {linearSolver})
  const names = concepts.map(({name}) => name)
  const list = edgeList(network, names)
  const edges = networkEdges(network).map(([parent, child], at) =>
    edgeResult(parent, child, list[at], material.documents)
  )
  const {structure, moments} = certificate
  return {
    documents: corpus.documents.length,
    parents: network.parents,
    cpt: network.cpt.map(chances => Array.from(chances, p => significant(p))),
    edges,
    explaining: explainingAway(network, edges, material.documents),
    search: {
      method: structure.method,
      status: structure.status,
      score: significant(structure.score),
      gap: structure.gap === undefined ? null : significant(structure.gap, 4),
      steps: structure.steps ?? null,
      bic: significant(structure.bic)
    },
    moments: {
      status: moments.status,
      objective: significant(moments.objective),
      gap: significant(moments.gap, 4),
      steps: moments.steps
    }
  }
}

function edgeResult(parent: number, child: number, edge: NetworkEdge, documents: readonly CorpusDocument[]): TreesEdge {
  return {
    parent,
    child,
    sign: edge.sign,
    mutualInformation: significant(edge.mutualInformation),
    strength: significant(edge.strength),
    childWithout: significant(edge.childWithout),
    childWith: significant(edge.childWith),
    tagged: tagTable(parent, child, documents)
  }
}

/** Documents in which one of the two tags is not known are left out. */
function tagTable(parent: number, child: number, documents: readonly CorpusDocument[]): TreesEdge['tagged'] {
  const table: [number, number, number, number] = [0, 0, 0, 0]
  for (const {truth} of documents)
    if (truth !== undefined && truth[parent] >= 0 && truth[child] >= 0) table[2 * truth[parent] + truth[child]]++
  return table
}
