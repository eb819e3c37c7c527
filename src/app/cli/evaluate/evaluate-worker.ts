import {answerBlocks} from '../each-block.ts'
import {createTaggedReader} from './blocks.ts'

answerBlocks(createTaggedReader)
