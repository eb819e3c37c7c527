import type {Model} from '../../learn/model/index.ts'
import type {Explanation} from '../../use/prediction/index.ts'
import type {ExplanationView} from './desk-api.ts'

/** Stand-in for the rows of the waterfall that `adfa explain` draws. */
export function explanationRows(_: Model, {contributions}: Explanation): ExplanationView['rows'] {
  let at = 0
  return contributions.map(item => {
    const from = at
    at += item.logOdds
    return {label: item.kind, logOdds: item.logOdds, from, to: at}
  })
}
