import {useState} from 'preact/hooks'
import {counted} from '../../base/text/index.ts'
import {type CompareState, POLYTOPES} from './compare-state.ts'
import {Saving} from './comparison-area.tsx'
import {Drawn} from './drawn.tsx'
import {FoldingTable} from './folding-table.tsx'
import {Button} from './parts.tsx'
import {sentence} from './sentence.ts'
import type {Studio} from './store.ts'
import {Working} from './working.tsx'

/** With more concepts, the marginal polytope may take minutes. */
const MANY = 100

/** The moments of the concepts over all four polytopes, one after the other. */
export function PolytopesArea({studio, state}: {studio: Studio; state: CompareState}) {
  const {numbers, concepts, revision} = studio.state.value
  const [asks, setAsks] = useState(false)
  const work = state.work.value
  const solved = state.solved.value
  const isOld = solved !== undefined && solved.revision !== revision
  const begin = () => {
    const isMany = concepts.length > MANY
    setAsks(isMany)
    void state.solve(isMany ? POLYTOPES.slice(0, -1) : POLYTOPES)
  }
  const goOn = () => {
    setAsks(false)
    void state.solve(['marginal'])
  }
  return (
    <section class={isOld ? 'area stack stale' : 'area stack'} aria-labelledby="polytopes-title">
      <div class="head">
        <h2 id="polytopes-title">Four polytopes</h2>
        {solved === undefined ? null : (
          <Saving studio={studio} isOld={isOld} chart={solved.view.chart} json={solved.view.columns} name="polytopes" />
        )}
      </div>
      <p class="soft">
        How closely the estimated moments of the concepts fit what the anchors show; a lower objective fits better. Each
        polytope lies inside the one before it and puts stricter conditions on the moments.
      </p>
      <div class="rowed">
        <Button disabled={numbers.is !== 'ready' || work !== undefined} onClick={begin}>
          Solve over all four
        </Button>
        {work === undefined || work === 'compare' ? null : <Working studio={studio} what={work} />}
      </div>
      {asks && work === undefined ? (
        <p class="say know">
          {`The marginal polytope of ${counted(concepts.length, 'concept')} may take many minutes. `}
          <Button isLittle onClick={goOn}>
            Solve it anyway
          </Button>
        </p>
      ) : null}
      {state.refusals.value.map(({polytope, message}) => (
        <p class="say bad" key={polytope}>
          {`${polytope}, no certificate: ${sentence(message)}`}
        </p>
      ))}
      {solved?.view.sections.map(section => (
        <FoldingTable key={section.title} studio={studio} table={section} />
      ))}
      {solved?.view.chart === undefined ? null : (
        <Drawn studio={studio} request={{kind: 'chart', chart: solved.view.chart}} of={solved} class="chart" />
      )}
    </section>
  )
}
