/**
 * adfa/comparison: how two models differ, with a verdict where intervals allow one.
 *
 *     import {compareModels} from 'adfa/comparison'
 *
 *     compareModels(before, after, {renamed: new Map([['etoh', 'alcohol']])}).concepts
 */
export type {EdgeChange, EdgeChangeKind} from './compare-edges.ts'
export {
  type ComparedModel,
  type CompareOptions,
  type Comparison,
  type ConceptChange,
  compareModels,
  type MomentFacts,
  type RateName
} from './compare-models.ts'
export {FIRST_WORDS, type WordChange} from './compare-words.ts'
export {type Crossing, crossedDocuments, type Scores} from './crossed-documents.ts'
export {type Match, matchConcepts, type Renamed} from './match-concepts.ts'
export {type Change, type Figure, type Verdict, verdictOf} from './verdict.ts'
