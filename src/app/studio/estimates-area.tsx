import {percent} from '../../base/text/index.ts'
import type {ConceptView, Estimate} from '../desk/index.ts'
import {intervalText, Whisker} from './parts.tsx'

/** How common the concept is by every estimator, and what its anchor is worth. */
export function EstimatesArea({concept, view}: {concept: string; view: ConceptView | undefined}) {
  if (view === undefined || view.estimators.length === 0) return null
  const isMeasured = view.prevalence !== undefined
  const max = Math.max(0.01, ...view.estimators.map(({prevalence: p}) => p?.high ?? p?.value ?? 0))
  return (
    <section class="area" aria-labelledby="rates-title">
      <div class="head">
        <h2 id="rates-title">Prevalence by each estimator</h2>
      </div>
      <table class="estimates">
        <caption class="unseen">
          {`Share of documents that have ${concept}, by each estimator, with its interval`}
        </caption>
        <thead class="unseen">
          <tr>
            <th scope="col">estimator</th>
            <th scope="col">interval</th>
            <th scope="col">share</th>
            <th scope="col">from, to</th>
            <th scope="col">used</th>
          </tr>
        </thead>
        <tbody>
          {view.estimators.map(({method, prevalence, isUsed}) => (
            <tr key={method}>
              <th scope="row">{method}</th>
              <td>{prevalence ? <Whisker estimate={prevalence} max={max} width={140} isUnused={!isUsed} /> : null}</td>
              <td class="n">{prevalence ? percent(prevalence.value) : <span class="soft">none</span>}</td>
              <td class="soft nowrap">{prevalence ? intervalText(prevalence) : ''}</td>
              <td>{isUsed ? 'used' : ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {isMeasured ? null : (
        <p class="worth soft">
          These are estimates by assumptions that nobody checked: the true share is unknown until 30 or more documents
          are labelled.
        </p>
      )}
      <Worth concept={concept} precision={view.precision} coverage={view.coverage} />
    </section>
  )
}

function Worth(props: {concept: string; precision: Estimate | undefined; coverage: Estimate | undefined}) {
  const {concept, precision, coverage} = props
  if (precision === undefined || coverage === undefined) return null
  return (
    <p class="worth soft">
      {`Where its anchor fires, ${withInterval(precision)} have ${concept}. Of the documents that have it, the anchor fires in ${withInterval(coverage)}.`}
    </p>
  )
}

function withInterval(estimate: Estimate): string {
  const interval = intervalText(estimate)
  return `${percent(estimate.value)}${interval === '' ? '' : ` (${interval})`}`
}
