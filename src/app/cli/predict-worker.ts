import {createDocumentPredictor} from '../pipeline/index.ts'
import {answerBlocks} from './each-block.ts'

answerBlocks(createDocumentPredictor, ({pieces}) =>
  pieces.flatMap(({buffer}) => (buffer instanceof ArrayBuffer ? [buffer] : []))
)
