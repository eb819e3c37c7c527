import type {Model} from '../../../learn/model/index.ts'
import {FieldSurvey} from '../../../read/data/index.ts'
import {createModelAnswers, type ModelAnswers} from '../../../use/evaluation/index.ts'
import {type KnownDocument, KnownReader, type ReadCounts} from '../../pipeline/index.ts'
import type {BlockWork} from '../each-block.ts'

/** What is asked of tagged documents, as data that threads can be given. */
export interface TaggedJob {
  readonly model: Model
  readonly oracle: Model | undefined
  /** Whether predictors are asked; otherwise documents are only read. */
  readonly asks: boolean
}

export interface TaggedBlock {
  readonly documents: number
  readonly known: readonly (KnownDocument & {readonly answers: ModelAnswers | undefined})[]
  readonly counts: ReadCounts
  /** Fields that no document so far had. */
  readonly unseen: readonly string[]
}

export function createTaggedReader({model, oracle, asks}: TaggedJob): BlockWork<TaggedBlock> {
  const reader = new KnownReader(model)
  const survey = new FieldSurvey(model.lexicon.reading)
  const answersOf = asks ? createModelAnswers(model, oracle) : undefined
  let known: TaggedBlock['known'][number][] = []
  let documents = 0
  return {
    add(row) {
      survey.add(row)
      documents++
      const document = reader.read(row)
      if (document) known.push({...document, answers: answersOf?.(document.evidence, document.labels)})
    },
    take() {
      const block = {documents, known, counts: reader.take(), unseen: survey.unseen()}
      known = []
      documents = 0
      return block
    }
  }
}
