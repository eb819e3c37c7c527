import {isScored} from './concept-marks.ts'
import type {DocumentRows} from './document-rows.ts'
import {StateMark} from './parts.tsx'
import type {Studio} from './store.ts'

/** What the order of the list rests on, where that is not the newest scores; and lists that are empty or refused. */
export function ListNote({studio, rows}: {studio: Studio; rows: DocumentRows}) {
  const fault = rows.fault.value
  if (fault !== undefined) return <p class="say bad">{fault}</p>
  const {query} = studio.view.value
  const {scores, concepts} = studio.state.value
  const hasRange = query.low !== undefined || query.high !== undefined
  if (concepts.some(({name, refused}) => name === query.concept && refused !== undefined))
    return (
      <p class="say know">
        {query.concept} is left out of the model, so documents have no probability for it
        {hasRange ? ', and none is in the range.' : '; they are in file order.'}
      </p>
    )
  if (rows.total.value === 0 && (scores.is === 'ready' || scores.is === 'old' || !hasRange))
    return <p class="say">No document matches. Widen the filter.</p>
  if (query.concept === undefined || rows.total.value === undefined) return null
  if (scores.is === 'ready')
    return isScored(studio.state.value, query.concept) ? (
      <p class="say soft">Scores rank documents. The true share of {query.concept} is unknown: label 30.</p>
    ) : null
  const hasScores = rows.row(0)?.probability !== undefined
  if (scores.is === 'failed')
    return (
      <p class="say bad">
        <StateMark stage={scores} /> {scores.message}
      </p>
    )
  if (!hasScores)
    return (
      <p class="say know">
        {hasRange ? 'No probability is in the range' : 'In file order'}: documents have no scores yet.{' '}
        <StateMark stage={scores} what="Scores" />
      </p>
    )
  return (
    <p class="say">
      {scores.is === 'provisional' ? null : <StateMark stage={{is: 'old'}} />} Ordered by the scores from before your
      last edit. {scores.is === 'old' ? null : <StateMark stage={scores} />}
    </p>
  )
}
