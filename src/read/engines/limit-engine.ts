import {AdfaError} from '../../base/checks/index.ts'
import type {Evidence} from '../data/index.ts'
import type {CountingEngine} from './counting-engine.ts'
import {countRows} from './memory-engine.ts'

/**
 * The engine with every document counted as `limit` leaves it, known by its key. The documents are then counted one by one in
 * this thread, so an engine that has only counts of them is refused.
 */
export function limitEngine(
  engine: CountingEngine,
  limit: (evidence: Evidence, key: string) => Evidence
): CountingEngine {
  const {name, rows} = engine
  if (rows === undefined)
    throw new AdfaError(
      'bad-option',
      `privacy limits what each document counts with, and the engine ${name} cannot count documents one by one; use --engine memory`
    )
  return {
    name,
    rows,
    surveyTags: (survey, control) => engine.surveyTags(survey, control),
    surveyWords: (builder, control) => engine.surveyWords(builder, control),
    count: (header, control) => countRows(rows, header, control, limit),
    close: () => engine.close()
  }
}
