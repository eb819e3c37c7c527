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
  FIRST_WORDS,
  type MomentFacts,
  type RateName,
  type WordChange
} from './compare-models.ts'
export {
  type Crossing,
  crossedDocuments,
  type Match,
  matchConcepts,
  type Renamed,
  type Scores
} from './match-concepts.ts'
export {type Change, type Figure, type Verdict, verdictOf} from './verdict.ts'
