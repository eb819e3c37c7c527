import type {ComparisonView} from '../desk/index.ts'
import {Drawn} from './drawn.tsx'
import {FoldingTable} from './folding-table.tsx'
import {Button} from './parts.tsx'
import {saveJson, savePicture} from './save-file.ts'
import type {Studio} from './store.ts'

/** What differs, in sections: in words first, then in tables and a picture. */
export function ComparisonArea({studio, view, isOld}: {studio: Studio; view: ComparisonView; isOld: boolean}) {
  const {titles, comparison, summary, notes, sections, chart} = view
  return (
    <section class={isOld ? 'area stack stale' : 'area stack'} aria-labelledby="differences-title">
      <div class="head">
        <h2 id="differences-title">{`A: ${titles[0]}; B: ${titles[1]}`}</h2>
        <Saving studio={studio} isOld={isOld} chart={chart} json={comparison} name="comparison" />
      </div>
      {summary.map(line => (
        <p key={line}>{line}</p>
      ))}
      {sections.map(section => (
        <FoldingTable key={section.title} studio={studio} table={section} />
      ))}
      {chart === undefined ? null : <Drawn studio={studio} request={{kind: 'chart', chart}} of={view} class="chart" />}
      {notes.map(note => (
        <p class="say" key={note}>
          {note}
        </p>
      ))}
    </section>
  )
}

interface SavingProps {
  readonly studio: Studio
  readonly isOld: boolean
  readonly chart: ComparisonView['chart']
  readonly json: unknown
  /** Of the files. */
  readonly name: string
}

export function Saving({studio, isOld, chart, json, name}: SavingProps) {
  return (
    <span class="rowed">
      {isOld ? <span class="state old">old: from before the last edit</span> : null}
      {chart === undefined ? null : (
        <Button isLittle onClick={() => void savePicture(studio, {kind: 'chart', chart}, `${name}.svg`)}>
          Save SVG<span class="unseen"> of the {name}</span>
        </Button>
      )}
      <Button isLittle onClick={() => saveJson(json, `${name}.json`)}>
        Save JSON<span class="unseen"> of the {name}</span>
      </Button>
    </span>
  )
}
