import {type FitSettings, type Side, sideTitle} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {NeedsDocuments} from '../../ui/area.tsx'
import {Button, Select} from '../../ui/controls.tsx'
import {Working} from '../../ui/marks.tsx'
import {sentence} from '../../ui/sentence.ts'
import {type CompareState, compareState, sidesOf} from './compare-state.ts'
import {ComparisonArea} from './comparison-area.tsx'
import {SnapshotsArea} from './snapshots-area.tsx'

/** Two models side by side. */
export function ComparePage() {
  const studio = useStudio()
  if (studio.state.value.documents === 0) return <NeedsDocuments page="Compare" />
  const state = compareState(studio)
  const compared = state.compared.value
  return (
    <>
      <div class="page-head">
        <h1>Compare</h1>
        <p class="lead">
          See what an edit or a setting changes. A difference within the intervals is shown as “no clear change”.
        </p>
      </div>
      <SnapshotsArea />
      <SidesArea state={state} />
      {compared === undefined ? null : (
        <ComparisonArea view={compared.view} isOld={compared.revision !== studio.state.value.revision} />
      )}
    </>
  )
}

function SidesArea({state}: {state: CompareState}) {
  const studio = useStudio()
  const {numbers} = studio.state.value
  const isReady = numbers.is === 'ready'
  const fault = state.fault.value
  return (
    <section class="area stack" aria-labelledby="sides-title">
      <h2 id="sides-title">What to compare</h2>
      <div class="sides">
        <SidePart state={state} at={0} />
        <SidePart state={state} at={1} />
      </div>
      <div class="rowed">
        <Button look="primary" disabled={!isReady || state.isAtWork.value} onClick={() => state.compare()}>
          Compare
        </Button>
        {isReady ? null : <span class="soft">Available once the numbers are ready.</span>}
        {state.isAtWork.value ? <Working what="the comparison" /> : null}
      </div>
      {fault === undefined ? null : <p class="say bad">{sentence(fault)}</p>}
    </section>
  )
}

function SidePart({state, at}: {state: CompareState; at: 0 | 1}) {
  const studio = useStudio()
  const side = state.sides[at]
  const letter = 'AB'[at]
  const sides = sidesOf(studio.project.value)
  const isSame = (other: Side) =>
    other.kind === side.kind && (other.kind !== 'snapshot' || side.kind !== 'snapshot' || other.name === side.name)
  const chosen = Math.max(0, sides.findIndex(isSame))
  const words = (each: Side) => (each.kind === 'fit' ? 'the project with other settings' : sideTitle(each))
  return (
    <div class="stack">
      <Select
        label={at === 0 ? 'A, before' : 'B, after'}
        value={String(chosen)}
        options={sides.map((each, place) => [String(place), words(each)] as const)}
        onPick={picked => state.setSide(at, sides[Number(picked)])}
      />
      {side.kind === 'fit' ? (
        <FitPart letter={letter} fit={side.fit} onChange={fit => state.setSide(at, {kind: 'fit', fit})} />
      ) : null}
    </div>
  )
}

const STRUCTURES = [
  ['pairs', 'all pairs'],
  ['tree', 'tree'],
  ['indegree:1', 'at most one parent'],
  ['independent', 'independent']
] as const
const POLYTOPES = [
  ['', 'for graphs only'],
  ['simplex', 'simplex'],
  ['local', 'local'],
  ['cycle', 'cycle']
] as const
const WORDS = [
  ['', 'automatic'],
  ['weights', 'weights'],
  ['noisy-or', 'noisy-or']
] as const

/** Settings of `adfa fit` that change a model most; the others are those of the project. */
function FitPart(props: {letter: string; fit: FitSettings; onChange: (fit: FitSettings) => void}) {
  const {letter, fit, onChange} = props
  const change = (name: string, value: string) => {
    const others = Object.entries(fit).filter(([key]) => key !== name && (name !== 'structure' || key !== 'polytope'))
    onChange(Object.fromEntries(value === '' ? others : [...others, [name, value]]))
  }
  const structure = String(fit.structure ?? 'pairs')
  const isGraph = structure === 'tree' || structure === 'indegree:1'
  const pick = (name: string) => (value: string) => change(name, value)
  return (
    <div class="sides">
      <Select label={`Structure of ${letter}`} value={structure} options={STRUCTURES} onPick={pick('structure')} />
      <Select
        label={`Polytope of ${letter}`}
        value={isGraph ? String(fit.polytope ?? 'local') : ''}
        isDisabled={!isGraph}
        options={POLYTOPES}
        onPick={pick('polytope')}
      />
      <Select label={`Words of ${letter}`} value={String(fit.words ?? '')} options={WORDS} onPick={pick('words')} />
    </div>
  )
}
