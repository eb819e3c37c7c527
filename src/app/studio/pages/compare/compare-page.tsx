import {comparisonBlocks, comparisonChart, comparisonRule} from '../../../present/index.ts'
import {
  type ComparisonView,
  type FitSettings,
  marksDiffer,
  type Project,
  readableFeature,
  type Side,
  sideTitle
} from '../../../session/index.ts'
import {useStudio, type View} from '../../store.ts'
import {Area, NeedsDocuments, PageHead, Say} from '../../ui/area.tsx'
import {Results} from '../../ui/blocks.tsx'
import {Button, Select} from '../../ui/controls.tsx'
import {Working} from '../../ui/marks.tsx'
import {savePicture} from '../../ui/picture.tsx'
import {saveText} from '../../ui/save-file.ts'
import {sentence} from '../../ui/sentence.ts'
import {useWork} from '../../ui/work.ts'
import {SnapshotsArea} from './snapshots-area.tsx'

/** Two models side by side. */
export function ComparePage() {
  const {state} = useStudio()
  const {answer} = useWork<ComparisonView>('comparison')
  if (state.value.documents === 0) return <NeedsDocuments page="Compare" />
  const compared = answer.value
  return (
    <>
      <PageHead
        title="Compare"
        lead="See what an edit or a setting changes. A difference within the intervals is shown as “no clear change”."
      />
      <SnapshotsArea />
      <SidesArea />
      {compared === undefined ? null : (
        <ComparisonArea view={compared.value} isOld={compared.revision !== state.value.revision} />
      )}
    </>
  )
}

/** The two sides: at first the last snapshot and the model as it is, which also replaces a snapshot that is gone. */
export function sidesOf({snapshots = []}: Project, chosen: View['sides'] = []): readonly [Side, Side] {
  const now: Side = {kind: 'now'}
  const known = (side: Side | undefined) =>
    side?.kind === 'snapshot' && !snapshots.some(({name}) => name === side.name) ? now : side
  const last = snapshots.at(-1)
  const first: Side = last === undefined ? now : {kind: 'snapshot', name: last.name}
  return [known(chosen[0]) ?? first, known(chosen[1]) ?? now]
}

function SidesArea() {
  const studio = useStudio()
  const work = useWork<ComparisonView>('comparison')
  const isReady = studio.state.value.numbers.is === 'ready'
  const isBusy = work.isBusy.value
  const sides = sidesOf(studio.project.value, studio.view.value.sides)
  const set = (at: number, side: Side) => studio.go({sides: sides.with(at, side) as [Side, Side]})
  return (
    <Area title="What to compare" also="stack">
      <div class="sides">
        <SidePart label="A, before" side={sides[0]} onPick={side => set(0, side)} />
        <SidePart label="B, after" side={sides[1]} onPick={side => set(1, side)} />
      </div>
      <div class="rowed">
        <Button
          look="primary"
          disabled={!isReady || isBusy}
          onClick={() => work.start(() => studio.session.compare(...sides))}
        >
          Compare
        </Button>
        {isReady ? null : <span class="soft">Available once the numbers are ready.</span>}
        {isBusy ? <Working what="the comparison" /> : null}
      </div>
      <Say is="bad">{work.fault.value && sentence(work.fault.value)}</Say>
    </Area>
  )
}

interface SideProps {
  readonly label: string
  readonly side: Side
  readonly onPick: (side: Side) => void
}

/** A model that the project has, or the project learned with other settings, which begin with its own and another structure. */
function SidePart({label, side, onPick}: SideProps) {
  const {snapshots = [], fit} = useStudio().project.value
  const sides: Side[] = [
    {kind: 'now'},
    ...snapshots.map(({name}): Side => ({kind: 'snapshot', name})),
    {kind: 'fit', fit: {...fit, structure: 'tree'}}
  ]
  const titleOf = (each: Side) => (each.kind === 'fit' ? 'the project with other settings' : sideTitle(each))
  const chosen = sides.findIndex(each => each.kind === side.kind && titleOf(each) === titleOf(side))
  return (
    <div class="stack">
      <Select
        label={label}
        value={String(chosen)}
        options={sides.map((each, at) => [String(at), titleOf(each)] as const)}
        onPick={at => onPick(sides[Number(at)])}
      />
      {side.kind === 'fit' ? <FitPart letter={label[0]} fit={side.fit} onPick={onPick} /> : null}
    </div>
  )
}

/** Settings of `adfa fit` that change a model most, as [value, words], the default first; the others are those of the project. */
const SETTINGS = {
  structure: [
    ['pairs', 'all pairs'],
    ['tree', 'tree'],
    ['indegree:1', 'at most one parent'],
    ['independent', 'independent']
  ],
  polytope: [
    ['local', 'local'],
    ['simplex', 'simplex'],
    ['cycle', 'cycle']
  ],
  words: [
    ['', 'automatic'],
    ['weights', 'weights'],
    ['noisy-or', 'noisy-or']
  ]
} as const

function FitPart({letter, fit, onPick}: {letter: string; fit: FitSettings; onPick: SideProps['onPick']}) {
  const isGraph = fit.structure === 'tree' || fit.structure === 'indegree:1'
  const change = (name: string, value: string) => {
    const {[name]: _, polytope, ...others} = fit
    const kept = name === 'structure' || polytope === undefined ? others : {...others, polytope}
    onPick({kind: 'fit', fit: value === '' ? kept : {...kept, [name]: value}})
  }
  return (
    <div class="sides">
      {Object.entries(SETTINGS).map(([name, options]) => {
        const isUnused = name === 'polytope' && !isGraph
        return (
          <Select
            key={name}
            label={`${name[0].toUpperCase()}${name.slice(1)} of ${letter}`}
            value={isUnused ? '' : String(fit[name] ?? options[0][0])}
            isDisabled={isUnused}
            options={isUnused ? [['', 'for graphs only']] : options}
            onPick={value => change(name, value)}
          />
        )
      })}
    </div>
  )
}

/** What differs, in sections: in words first, then in tables and a picture. */
function ComparisonArea({view, isOld}: {view: ComparisonView; isOld: boolean}) {
  const studio = useStudio()
  const {sides, comparison, today} = view
  const titles = [sideTitle(sides[0]), sideTitle(sides[1])] as const
  const chart = comparisonChart(comparison, titles)
  const linkOf = (concept: string, crossed: 'entered' | 'left') => {
    const name = today.get(concept)
    return name && {page: 'documents', concept: name, query: {concept: name, crossed}, document: undefined}
  }
  return (
    <Area
      title={`A: ${titles[0]}; B: ${titles[1]}`}
      id="differences-title"
      also={isOld ? 'stack stale' : 'stack'}
      aside={
        <span class="rowed">
          {isOld ? <span class="state old">old: from before the last edit</span> : null}
          {chart === undefined ? null : (
            <Button
              isLittle
              of="of the comparison"
              onClick={() => savePicture(studio, {kind: 'chart', chart}, 'comparison', 'svg')}
            >
              Save SVG
            </Button>
          )}
          <Button
            isLittle
            of="of the comparison"
            onClick={() => saveText(`${JSON.stringify(comparison, null, 2)}\n`, 'comparison.json')}
          >
            Save JSON
          </Button>
        </span>
      }
    >
      <Results blocks={comparisonBlocks(comparison, {wordOf: readableFeature, linkOf})} />
      {chart === undefined ? null : <Results blocks={[{kind: 'chart', chart}]} />}
      {[...otherDocuments(studio.project.value, sides), comparisonRule(comparison)].map(note => (
        <Say key={note}>{note}</Say>
      ))}
    </Area>
  )
}

/** Snapshots of other documents than those that are open. */
function otherDocuments({snapshots = [], documents}: Project, sides: readonly Side[]): string[] {
  return sides.flatMap(side => {
    const snapshot = side.kind === 'snapshot' ? snapshots.find(({name}) => name === side.name) : undefined
    const differs = snapshot && documents && marksDiffer(snapshot.project.documents, documents)
    return differs === undefined
      ? []
      : [`Snapshot ${snapshot?.name}: ${differs}. Documents that cross the threshold are those that are open now.`]
  })
}
