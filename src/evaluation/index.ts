export {type Evaluation, evaluate, type OpenEvaluation, openEvaluation} from './evaluate.ts'
export type {Figures} from './evaluator.ts'
export {OracleTrainer} from './oracle.ts'
export type {TaggingFigures} from './tagging-figures.ts'
