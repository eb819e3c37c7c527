import {AdfaError, unreachable} from '../../base/checks/index.ts'
import {type Counts, countPackedRange} from '../counts/index.ts'
import {type Labels, LexiconBuilder, type Row, TagSurvey} from '../data/index.ts'
import {parseBlock} from '../files/index.ts'
import {RowCounter} from './row-counter.ts'
import type {BlockAnswer, CountsAnswer, LabelMap, Refusal, WorkerJob, WorkerRequest} from './worker-messages.ts'

/** What a thread does, apart from being one: it remembers its job from block to block. */
export class WorkerTasks {
  #onRows: ((rows: readonly Row[]) => BlockAnswer) | undefined
  #finish: (() => CountsAnswer) | undefined

  answer(request: WorkerRequest): BlockAnswer | CountsAnswer | Refusal {
    try {
      return this.#work(request)
    } catch (error) {
      if (error instanceof AdfaError) return {kind: 'refused', code: error.code, message: error.message}
      return {kind: 'failed', stack: error instanceof Error ? (error.stack ?? error.message) : String(error)}
    }
  }

  #work(request: WorkerRequest): BlockAnswer | CountsAnswer {
    switch (request.kind) {
      case 'block': {
        if (request.job !== undefined) this.#begin(request.job)
        if (this.#onRows === undefined) throw new Error('internal error: a block came before its job')
        return this.#onRows(parseBlock(request.block))
      }
      case 'finish': {
        if (this.#finish === undefined) throw new Error('internal error: there is nothing to finish')
        const answer = this.#finish()
        this.#onRows = undefined
        this.#finish = undefined
        return answer
      }
      case 'packed': {
        const {header, documents, from, to} = request
        return countsAnswer(countPackedRange(header, documents, from, to), [], [])
      }
      default:
        return unreachable(request)
    }
  }

  #begin(job: WorkerJob): void {
    this.#finish = undefined
    switch (job.stage) {
      case 'tags': {
        const survey = new TagSurvey()
        this.#onRows = rows => {
          for (const row of rows) survey.add(row)
          return {kind: 'tags', documents: rows.length, survey: survey.takeSurvey()}
        }
        return
      }
      case 'vocabulary': {
        const builder = new LexiconBuilder(job.anchors, job.options)
        this.#onRows = rows => {
          for (const row of rows) builder.add(row)
          return {kind: 'vocabulary', documents: rows.length, survey: builder.takeSurvey()}
        }
        return
      }
      case 'counting': {
        const found = new Set<string>()
        const counter = new RowCounter(job.header, job.labels && noticing(job.labels, found))
        this.#onRows = rows => {
          counter.add(rows)
          return {kind: 'counting', documents: rows.length}
        }
        this.#finish = () => countsAnswer(counter.finish(), counter.unseen(), [...found])
        return
      }
      default:
        unreachable(job)
    }
  }
}

/** The labels, and in `found` the keys that were asked for and are there. */
function noticing(labels: LabelMap, found: Set<string>): Labels {
  return {
    get(key) {
      const known = labels.get(key)
      if (known !== undefined) found.add(key)
      return known
    }
  }
}

function countsAnswer(
  {lexicon: _, labelShare: _share, seed: _seed, shards: _shards, protocol: _protocol, ...counts}: Counts,
  unseen: readonly string[],
  labelled: readonly string[]
): CountsAnswer {
  return {kind: 'counts', counts, unseen, labelled}
}
