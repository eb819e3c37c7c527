import {type Column, Table} from '../../../present/index.ts'
import type {CellView, ComparisonView, TableView} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {Button} from '../../ui/controls.tsx'
import {GoLink} from '../../ui/go-link.tsx'
import {Drawn, savePicture} from '../../ui/picture.tsx'
import {saveText} from '../../ui/save-file.ts'

/** What differs, in sections: in words first, then in tables and a picture. */
export function ComparisonArea({view, isOld}: {view: ComparisonView; isOld: boolean}) {
  const {titles, comparison, summary, notes, sections, chart} = view
  return (
    <section class={isOld ? 'area stack stale' : 'area stack'} aria-labelledby="differences-title">
      <div class="head">
        <h2 id="differences-title">{`A: ${titles[0]}; B: ${titles[1]}`}</h2>
        <Saving isOld={isOld} chart={chart} json={comparison} name="comparison" />
      </div>
      {summary.map(line => (
        <p key={line}>{line}</p>
      ))}
      {sections.map(section => (
        <FoldingTable key={section.title} table={section} />
      ))}
      {chart === undefined ? null : <Drawn request={{kind: 'chart', chart}} of={view} class="chart" />}
      {notes.map(note => (
        <p class="say" key={note}>
          {note}
        </p>
      ))}
    </section>
  )
}

interface SavingProps {
  readonly isOld: boolean
  readonly chart: ComparisonView['chart']
  readonly json: unknown
  /** Of the files. */
  readonly name: string
}

export function Saving({isOld, chart, json, name}: SavingProps) {
  const studio = useStudio()
  return (
    <span class="rowed">
      {isOld ? <span class="state old">old: from before the last edit</span> : null}
      {chart === undefined ? null : (
        <Button isLittle onClick={() => void savePicture(studio, {kind: 'chart', chart}, name, 'svg')}>
          Save SVG<span class="unseen"> of the {name}</span>
        </Button>
      )}
      <Button isLittle onClick={() => saveText(`${JSON.stringify(json, null, 2)}\n`, `${name}.json`)}>
        Save JSON<span class="unseen"> of the {name}</span>
      </Button>
    </span>
  )
}

/** A table with its title; on narrow screens a row becomes lines, each with the name of its column. */
export function FoldingTable({table}: {table: TableView}) {
  const {title, none, head, rows} = table
  return (
    <>
      <h3>{title}</h3>
      {rows.length === 0 ? (
        <p class="soft">{none}</p>
      ) : (
        <Table
          class="folding"
          caption={title}
          rows={rows}
          keyOf={row => JSON.stringify(row)}
          columns={head.map(
            (name, at): Column<TableView['rows'][number]> => ({
              name,
              look: row => (typeof row[at] === 'object' && 'isQuiet' in row[at] ? 'soft' : undefined),
              cell: row => (row[at] === '' ? null : <Cell cell={row[at]} />)
            })
          )}
        />
      )}
    </>
  )
}

function Cell({cell}: {cell: CellView}) {
  if (typeof cell === 'string') return <>{cell}</>
  if ('isQuiet' in cell) return <>{cell.words}</>
  const {words, label, query} = cell
  return (
    <GoLink to={{page: 'documents', concept: query.concept, query, document: undefined}} label={label}>
      {words}
    </GoLink>
  )
}
