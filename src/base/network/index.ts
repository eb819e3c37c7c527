/**
 * adfa/network has pair networks and directed networks over binary variables: beliefs, edges, exact tables, samples, BIF, DOT, UAI.
 *
 *     import {edgeList, networkToBif} from 'adfa/network'
 *
 *     const names = model.concepts.map(({name}) => name)
 *     edgeList(model.network, names)   // sign and strength of each edge, with an interval in a pair network
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
export {
  type EdgeConfidence,
  edgeConfidence,
  edgeList,
  edgesToCsv,
  type NetworkEdge,
  type ShownEdge,
  withoutGuesses
} from './edge-list.ts'
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
export {completedGraph, directByRules, isMarkovEquivalent, MixedGraph, type PartialGraph} from './markov-equivalence.ts'
export {matchBiases, weakenCouplings} from './match-biases.ts'
export {
  createMessages,
  dampedMessage,
  multiplyOdds,
  type NetworkMessages,
  ODDS_BOTTOM,
  ODDS_TOP
} from './network-messages.ts'
export {networkMarginals, networkTable} from './network-table.ts'
export {edgeLook, networkToDot} from './network-to-dot.ts'
export {type Beliefs, type ConceptEvidence, messageTables} from './pair-beliefs.ts'
export {
  isPairNetwork,
  jointTable,
  type Network,
  networkEdges,
  networkSize,
  type PairNetwork,
  pairNetwork
} from './pair-network.ts'
