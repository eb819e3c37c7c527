import type {Estimate, LabelView} from '../desk/index.ts'
import {intervalText, Whisker} from './parts.tsx'

/** What the labels say so far of how common each concept is, least certain first. */
export function IntervalArea({intervals}: {intervals: LabelView['intervals']}) {
  const sorted = intervals.toSorted((a, b) => width(b.prevalence) - width(a.prevalence))
  const max = Math.max(0.01, ...intervals.map(({prevalence: {value, high = value}}) => high))
  return (
    <section class="area intervals" aria-labelledby="int-title">
      <div class="head">
        <h2 id="int-title">Intervals so far</h2>
        <span class="soft">90%, share of documents, widest first</span>
      </div>
      {sorted.length === 0 ? <p class="soft">They appear once a labelled document has a concept.</p> : null}
      <ul class="interval-list">
        {sorted.map(({concept, prevalence}) => (
          <li key={concept}>
            <span title={concept}>{concept}</span>
            <Whisker estimate={prevalence} max={max} width={80} />
            <span class="soft n">{intervalText(prevalence)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The ratio of the ends: an interval from 1% to 3% is wider than one from 10% to 15%. */
function width({low, high}: Estimate): number {
  if (low === undefined || high === undefined) return Number.MAX_VALUE
  return low > 0 ? high / low : high > 0 ? Number.MAX_VALUE : 1
}
