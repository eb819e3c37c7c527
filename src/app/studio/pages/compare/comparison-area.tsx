import {comparisonBlocks, comparisonChart, comparisonRule} from '../../../present/index.ts'
import {
  type ComparisonView,
  marksDiffer,
  type Project,
  readableFeature,
  type Side,
  sideTitle
} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {Results} from '../../ui/blocks.tsx'
import {Button} from '../../ui/controls.tsx'
import {Drawn, savePicture} from '../../ui/picture.tsx'
import {saveText} from '../../ui/save-file.ts'

/** What differs, in sections: in words first, then in tables and a picture. */
export function ComparisonArea({view, isOld}: {view: ComparisonView; isOld: boolean}) {
  const studio = useStudio()
  const {sides, comparison, today} = view
  const titles = [sideTitle(sides[0]), sideTitle(sides[1])] as const
  const chart = comparisonChart(comparison, titles)
  const linkOf = (concept: string, crossed: 'entered' | 'left') => {
    const name = today.get(concept)
    return name && {page: 'documents', concept: name, query: {concept: name, crossed}, document: undefined}
  }
  return (
    <section class={isOld ? 'area stack stale' : 'area stack'} aria-labelledby="differences-title">
      <div class="head">
        <h2 id="differences-title">{`A: ${titles[0]}; B: ${titles[1]}`}</h2>
        <span class="rowed">
          {isOld ? <span class="state old">old: from before the last edit</span> : null}
          {chart === undefined ? null : (
            <Button isLittle onClick={() => void savePicture(studio, {kind: 'chart', chart}, 'comparison', 'svg')}>
              Save SVG<span class="unseen"> of the comparison</span>
            </Button>
          )}
          <Button isLittle onClick={() => saveText(`${JSON.stringify(comparison, null, 2)}\n`, 'comparison.json')}>
            Save JSON<span class="unseen"> of the comparison</span>
          </Button>
        </span>
      </div>
      <Results blocks={comparisonBlocks(comparison, {wordOf: readableFeature, linkOf})} />
      {chart === undefined ? null : <Drawn request={{kind: 'chart', chart}} of={view} class="chart" />}
      {[...otherDocuments(studio.project.value, sides), comparisonRule(comparison)].map(note => (
        <p class="say" key={note}>
          {note}
        </p>
      ))}
    </section>
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
