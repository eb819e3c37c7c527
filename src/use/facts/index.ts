export {
  type CertificateFacts,
  certificateFacts,
  describeTables,
  edgeKey,
  type IntervalFacts,
  labelledText,
  type NoiseFacts,
  rateSource,
  type SourceFacts
} from './certificate-facts.ts'
export {
  type ConceptFacts,
  cardId,
  conceptFacts,
  createConceptFacts,
  type Estimate,
  type NamedNeighbour,
  type ReportedMember,
  type ShownRates,
  shownRates,
  type WordFacts
} from './concept-facts.ts'
export {type LinkRules, linkRules} from './link-rules.ts'
export {
  type DrawnEdges,
  drawnEdges,
  edgeInWords,
  isDrawable,
  type Link,
  networkLinks,
  networkNeighbours,
  oddsInterval,
  oddsInWords,
  oddsText,
  type PlacedEdge,
  strengthDegree,
  strengthInWords
} from './network-edges.ts'
