export {type ExplainOptions, type Explanation, explain} from './explain.ts'
export type {Contribution} from './explain-parts.ts'
export {createLastTagScorer, type LastTagScorer, logJoint} from './last-tag.ts'
export {createPredictor, type Predictor, predictDocument, predictionLine, readDocument, tagsFrom} from './predictor.ts'
