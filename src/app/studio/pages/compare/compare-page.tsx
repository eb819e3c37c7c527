import {comparisonBlocks, comparisonChart, comparisonRule} from '../../../present/index.ts'
import {
  type ComparisonView,
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
        lead="Take a snapshot, change words or settings, and see what that changed. A difference within the intervals is shown as “no clear change”."
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
  const {snapshots = []} = studio.project.value
  const all: readonly Side[] = [{kind: 'now'}, ...snapshots.map(({name}) => ({kind: 'snapshot', name}) as const)]
  return (
    <Area title="What to compare" also="stack">
      <div class="sides">
        {['A, before', 'B, after'].map((label, at) => (
          <Select
            key={label}
            label={label}
            value={String(all.findIndex(side => JSON.stringify(side) === JSON.stringify(sides[at])))}
            options={all.map((side, place) => [String(place), sideTitle(side)])}
            onPick={place => studio.go({sides: sides.with(at, all[Number(place)])})}
          />
        ))}
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
