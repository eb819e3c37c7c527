import type {GraphView} from '../desk/index.ts'
import {GoLink} from './go-link.tsx'
import type {Studio} from './store.ts'

/** What a model without its documents does not allow, and why. */
export function ReadOnlyNote({studio, file}: {studio: Studio; file: string}) {
  return (
    <div class="area">
      <p class="say know">
        {`${file} is open read-only. Resampling, rules for links and other structures learn from documents, and only the model is here. `}
        <GoLink studio={studio} to={{page: 'start'}}>
          Which documents complete it
        </GoLink>
      </p>
    </div>
  )
}

/** How the network was learned; nothing can be chosen. */
export function ReadOnlyOptions({graph}: {graph: GraphView}) {
  const rules = [
    ...graph.rules.require.map(([a, b]) => `${a} and ${b}: required`),
    ...graph.rules.forbid.map(([a, b]) => `${a} and ${b}: forbidden`)
  ]
  return (
    <section class="area" aria-labelledby="options-title">
      <div class="head">
        <h2 id="options-title">How it was learned</h2>
        <span class="soft">{graph.method}</span>
      </div>
      {rules.length === 0 ? <p class="soft">No link was required or forbidden.</p> : null}
      <ul class="rules">
        {rules.map(rule => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
    </section>
  )
}
