import {addCounts, Counter, type Counts, type CountsHeader} from '../counts/index.ts'
import type {CountsAnswer} from './worker-messages.ts'

/** What several threads counted, added up. */
export function sumAnswers(header: CountsHeader, answers: readonly CountsAnswer[]): Counts {
  if (answers.length === 0) return new Counter(header).finish()
  const parts = answers.map(({counts}) => ({...header, ...counts}))
  return parts.length === 1 ? parts[0] : addCounts(header, parts)
}
