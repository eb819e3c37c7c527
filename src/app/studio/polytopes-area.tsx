import {useState} from 'preact/hooks'
import {counted} from '../../base/text/index.ts'
import type {PolytopeName} from '../../learn/moments/index.ts'
import {gapChart, type PolytopeView} from '../desk/index.ts'
import {type Column, type CompareState, POLYTOPES} from './compare-state.ts'
import {Drawn} from './drawn.tsx'
import {Table} from './folding-table.tsx'
import {Button} from './parts.tsx'
import {saveJson, savePicture} from './save-file.ts'
import {sentence} from './sentence.ts'
import type {Studio} from './store.ts'
import {Working} from './working.tsx'

/** With more concepts, the marginal polytope may take minutes. */
const MANY = 100

/** The moments of the concepts over all four polytopes, each inside the one before, one after the other. */
export function PolytopesArea({studio, state}: {studio: Studio; state: CompareState}) {
  const {numbers, concepts, revision} = studio.state.value
  const [asks, setAsks] = useState(false)
  const isBusy = state.work.value !== undefined
  const isOld = state.columns.value.length > 0 && state.revision.value !== revision
  const begin = () => {
    const isMany = concepts.length > MANY
    setAsks(isMany)
    void state.solve(isMany ? POLYTOPES.filter(name => name !== 'marginal') : POLYTOPES)
  }
  return (
    <section class={isOld ? 'area stack stale' : 'area stack'} aria-labelledby="polytopes-title">
      <div class="head">
        <h2 id="polytopes-title">Four polytopes</h2>
        {isOld ? <span class="state old">old: of the project before the last edit</span> : null}
      </div>
      <p class="soft">
        How near the moments of the concepts come to what the anchors show, if they must agree with each other more and
        more: a lower objective is nearer, and each polytope lies inside the one before.
      </p>
      <div class="rowed">
        <Button disabled={numbers.is !== 'ready' || isBusy} onClick={begin}>
          Solve over all four
        </Button>
        {numbers.is === 'ready' ? null : <span class="soft">When the numbers are ready.</span>}
      </div>
      {asks && !isBusy ? (
        <p class="say know">
          {`The marginal polytope of ${counted(concepts.length, 'concept')} may take many minutes. `}
          <Button
            isLittle
            onClick={() => {
              setAsks(false)
              void state.solve(['marginal'])
            }}
          >
            Solve it all the same
          </Button>
        </p>
      ) : null}
      <Columns studio={studio} state={state} />
    </section>
  )
}

function Columns({studio, state}: {studio: Studio; state: CompareState}) {
  const columns = POLYTOPES.flatMap(name => state.columns.value.find(({polytope}) => polytope === name) ?? [])
  const work = state.work.value
  const running = work === undefined || work === 'compare' ? undefined : work
  if (columns.length === 0 && running === undefined) return null
  const solved = columns.filter(isSolved)
  const chart = gapChart(solved)
  const rows = columns.filter(({polytope}) => polytope !== running).map(row)
  return (
    <>
      <Table caption="Objective, bound and gap of each polytope" head={HEAD} rows={rows} />
      {running === undefined ? null : (
        <div class="rowed">
          <b>{running}</b>
          <Working studio={studio} what={running} />
        </div>
      )}
      {running !== undefined || solved.length === 0 ? null : (
        <>
          <Moved columns={solved} />
          {chart === undefined ? null : (
            <Drawn studio={studio} request={{kind: 'chart', chart, width: 720}} of={columns} class="chart" />
          )}
          <div class="rowed">
            {chart === undefined ? null : (
              <Button isLittle onClick={() => void savePicture(studio, {kind: 'chart', chart}, 'polytopes.svg')}>
                Save SVG
              </Button>
            )}
            <Button isLittle onClick={() => saveJson(columns, 'polytopes.json')}>
              Save JSON
            </Button>
          </div>
        </>
      )}
    </>
  )
}

const HEAD = ['Polytope', 'Objective', 'Bound', 'Gap', 'Status', 'Seconds']

const STATUS_WORDS: Readonly<Record<string, string>> = {
  optimal: 'optimal',
  gap: 'cannot improve further',
  'step-limit': 'stopped at its limit of steps',
  'time-limit': 'stopped at its limit of time',
  cancelled: 'stopped'
}

function row(column: Column): readonly string[] {
  if (!isSolved(column)) return [column.polytope, 'no certificate', '', '', sentence(column.fault), '']
  const {polytope, certificate} = column
  if (certificate === undefined) return [polytope, 'no certificate', '', '', 'stopped', '']
  const {objective, lowerBound, gap, status, seconds = 0} = certificate
  return [
    polytope,
    objective.toPrecision(6),
    lowerBound.toPrecision(6),
    gap.toExponential(1),
    STATUS_WORDS[status],
    seconds.toFixed(2)
  ]
}

function isSolved(column: Column): column is PolytopeView {
  return !('fault' in column)
}

function Moved({columns}: {columns: readonly PolytopeView[]}) {
  const share = (value: number) => `${(100 * value).toFixed(2)}%`
  const rows = columns.flatMap(({polytope, moved}) =>
    moved
      .slice(0, 3)
      .map(({pair, simplex, here}) => [
        pair.join(' and '),
        polytope satisfies PolytopeName,
        share(simplex),
        share(here)
      ])
  )
  if (rows.length === 0) return null
  return (
    <>
      <h3>Pairs moved most</h3>
      <Table
        caption="Pairs whose share of documents with both moved most from the simplex"
        head={['Pair', 'Polytope', 'Both, over the simplex', 'Both, here']}
        rows={rows}
      />
    </>
  )
}
