export {type ExplainOptions, type Explanation, explain} from './explain.ts'
export type {Contribution} from './explain-parts.ts'
export {createLastTagScorer, type LastTagScorer, logJoint, scoreLastTag} from './last-tag.ts'

export {createPredictor, type Predictor, predictDocument, predictionLine, readDocument} from './predictor.ts'
