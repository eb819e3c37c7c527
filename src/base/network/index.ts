/**
 * adfa/network: networks over binary variables, of pairs or directed: beliefs, edges, exact tables, sampling, BIF, DOT, UAI.
 *
 *     import {edgeList, networkToBif} from 'adfa/network'
 *
 *     const names = model.concepts.map(({name}) => name)
 *     edgeList(model.network, names)   // sign, strength and, of pairs, the interval of each edge
 *     networkToBif(model.network, names)
 */

export {
  type BayesNetwork,
  type ConceptTables,
  forwardSampler,
  logPrior,
  parentState,
  priorLogOdds,
  sampleNetwork
} from './bayes-network.ts'
export {createBeliefs} from './create-beliefs.ts'
export {directedNetwork} from './directed-network.ts'
export {type EdgeConfidence, edgeConfidence, edgeList, edgesToCsv, type NetworkEdge} from './edge-list.ts'
export {type NetworkFormat, networkText, networkToBif, networkToUai} from './export-network.ts'
export {
  type Edge,
  findCycle,
  maximumSpanningTree,
  type Parents,
  type SpanningTree,
  topologicalOrder
} from './graph.ts'
export {type JunctionTree, junctionTree} from './junction-tree.ts'
export {classShifts, createLogPrior, type ExclusiveClasses, type LogPrior, logSum} from './log-prior.ts'
export {completedGraph, directByRules, MixedGraph, markovEquivalent, type PartialGraph} from './markov-equivalence.ts'
export {matchBiases, weakened} from './match-biases.ts'
export {
  createMessages,
  damped,
  multiply,
  type NetworkMessages,
  ODDS_BOTTOM,
  ODDS_TOP
} from './network-messages.ts'
export {networkMarginals, networkTable} from './network-table.ts'
export {edgeLook, networkToDot} from './network-to-dot.ts'
export {type Beliefs, type ConceptEvidence, passedTables} from './pair-beliefs.ts'
export {
  isPairNetwork,
  jointTable,
  type Network,
  networkEdges,
  networkSize,
  type PairNetwork,
  pairNetwork
} from './pair-network.ts'
