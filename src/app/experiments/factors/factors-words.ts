import type {Spread} from '../spread.ts'
import type {FactorClips, FactorMethod} from './factors-measure.ts'
import type {WordNames} from './factors-names.ts'
import type {FactorsSummary, WordList} from './factors-summary.ts'

export const methodNames: Readonly<Record<FactorMethod, string>> = {
  paper: 'ADFA, tree (paper)',
  robust: 'ADFA, robust',
  oracle: 'true tags (oracle)'
}

const rankingNames = {
  failure: 'lowest failure',
  information: 'telling most',
  weights: 'largest log-odds'
} as const

/** "ADFA, robust: largest log-odds". */
export function listName({method, ranking}: WordList): string {
  return `${methodNames[method]}: ${rankingNames[ranking]}`
}

/** How the words agree with those of the true tags. */
export function sharedText(summary: FactorsSummary, concepts: number): string {
  const paper = summary.sharedWithOracle({method: 'paper', ranking: 'failure'})
  const robust = summary.sharedWithOracle({method: 'robust', ranking: 'failure'})
  const telling = summary.sharedWithOracle({method: 'robust', ranking: 'weights'})
  return `Of the ten words that weigh most for each of ${concepts} concepts, ${meanText(paper)} are on average among the ten that the same estimator finds from the true tags; with the robust preset ${meanText(robust)} are. Of the ten words with the largest log-odds, ${meanText(telling)} are among the ten that tell most by the true tags.`
}

/** How they agree with the tables of the paper. */
export function sharedWithPaperText(shared: Spread | undefined): string {
  if (shared === undefined) return 'No concept has the name of one in the tables of the paper.'
  const which = shared.splits === 1 ? 'the concept that has' : `the ${shared.splits} concepts that have`
  return `For ${which} the name of one in the tables of the paper, ${meanText(shared)} of the words of the tree are printed there.`
}

export function clipText(method: FactorMethod, clips: FactorClips): string {
  const {failures, failuresAboveOne, failuresBelowFloor, failuresUndefined, words, leaksAtFloor} = clips
  const others = failuresBelowFloor + failuresUndefined
  const rest = others === 0 ? '' : `, ${percentOf(others, failures)} for other reasons`
  return `With ${methodNames[method]}, ${percentOf(failuresAboveOne, failures)} of the failures come out above 1 and are clipped${rest}; ${percentOf(leaksAtFloor, words)} of the leaks are raised to their floor.`
}

/** "9.2%"; of nothing, 0%. */
export function percentOf(count: number, all: number): string {
  return `${(all === 0 ? 0 : (100 * count) / all).toFixed(1)}%`
}

/** "4.2 (standard error 0.3)". */
function meanText({mean, error}: Spread): string {
  return error === undefined ? mean.toFixed(1) : `${mean.toFixed(1)} (standard error ${error.toFixed(1)})`
}

/** What the marks of words mean. */
export function marksText({marked, unmarked}: Pick<WordNames, 'marked' | 'unmarked'>): string {
  if (unmarked === undefined) return ''
  return ` Words marked ${marked.join(' or ')} come from that field, words without a mark from ${unmarked}.`
}
