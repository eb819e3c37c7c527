import {type Model, trainingCheck} from '../../../learn/model/index.ts'
import {Encoder, type Evidence, FieldSurvey, rowKey} from '../../../read/data/index.ts'
import {parseBlock} from '../../../read/reading/index.ts'
import {createModelAnswers, type ModelAnswers} from '../../../use/evaluation/index.ts'
import type {BlockWork} from '../each-block.ts'

/** What is asked of tagged documents, as data that threads can be given. */
export interface TaggedJob {
  readonly model: Model
  readonly oracle: Model | undefined
  /** Whether predictors are asked; otherwise documents are only read. */
  readonly asks: boolean
}

/** A document that has tags or labels and passes the filter of the model. */
export interface TaggedDocument {
  readonly evidence: Evidence
  readonly labels: Int8Array
  readonly answers: ModelAnswers | undefined
}

export interface TaggedBlock {
  readonly documents: number
  readonly tagged: readonly TaggedDocument[]
  /** Documents without tags, and others that do not pass the filter. */
  readonly skipped: number
  readonly filtered: number
  /** Tagged documents of which it is known whether the model was learned from them, and those that it was. */
  readonly known: number
  readonly read: number
  /** All tags, in the order in which they appear. */
  readonly tags: readonly string[]
  /** Fields that no document so far had. */
  readonly unseen: readonly string[]
}

export function beginTagged({model, oracle, asks}: TaggedJob): BlockWork<TaggedBlock> {
  const encoder = new Encoder(model.lexicon)
  const training = trainingCheck(model)
  const survey = new FieldSurvey(model.lexicon.reading)
  const answersOf = asks ? createModelAnswers(model, oracle) : undefined
  return async (block, pause) => {
    const rows = parseBlock(block)
    const sum = {skipped: 0, filtered: 0, known: 0, read: 0}
    const tags = new Set<string>()
    const tagged: TaggedDocument[] = []
    for (const row of rows) {
      const pausing = pause?.()
      if (pausing !== undefined) await pausing
      survey.add(row)
      const labels = encoder.labels(row)
      for (const tag of row.tags ?? []) tags.add(tag)
      if (labels === undefined) sum.skipped++
      else if (!encoder.accepts(row)) sum.filtered++
      else {
        const evidence = encoder.encode(row)
        const wasRead = training.wasRead({key: rowKey(row), words: evidence.words})
        if (wasRead !== undefined) sum.known++
        if (wasRead) sum.read++
        tagged.push({evidence, labels, answers: answersOf?.(evidence, labels)})
      }
    }
    return {documents: rows.length, tagged, ...sum, tags: [...tags], unseen: survey.unseen()}
  }
}
