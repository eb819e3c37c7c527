import {counted, factorText, listed, percent} from '../../base/text/index.ts'
import type {Comparison, ConceptChange, EdgeChange, Figure, RateName, WordChange} from '../../use/comparison/index.ts'
import {comparisonChart, readableFeature} from '../desk/index.ts'
import type {Compared} from './compare-state.ts'
import {Drawn} from './drawn.tsx'
import {Part, Table} from './folding-table.tsx'
import {GoLink} from './go-link.tsx'
import {Button} from './parts.tsx'
import {saveJson, savePicture} from './save-file.ts'
import type {Studio} from './store.ts'

/** What differs, in sections: in words first, then in tables. */
export function ComparisonArea({studio, compared}: {studio: Studio; compared: Compared}) {
  const {view, titles, revision} = compared
  const {comparison} = view
  const isOld = revision !== studio.state.value.revision
  return (
    <section class={isOld ? 'area stack stale' : 'area stack'} aria-labelledby="differences-title">
      <div class="head">
        <h2 id="differences-title">{`A: ${titles[0]}; B: ${titles[1]}`}</h2>
        {isOld ? <span class="state old">old: of the project before the last edit</span> : null}
        <SaveButtons studio={studio} compared={compared} />
      </div>
      <Summary comparison={comparison} />
      {view.notes.map(note => (
        <p class="say" key={note}>
          {note}
        </p>
      ))}
      <Rates studio={studio} compared={compared} />
      <Edges edges={comparison.edges} />
      <Words concepts={comparison.concepts} />
      <Crossed studio={studio} compared={compared} />
    </section>
  )
}

function SaveButtons({studio, compared}: {studio: Studio; compared: Compared}) {
  const {view, titles} = compared
  const chart = comparisonChart(view.comparison, titles)
  return (
    <span class="rowed">
      {chart === undefined ? null : (
        <Button isLittle onClick={() => void savePicture(studio, {kind: 'chart', chart}, 'comparison.svg')}>
          Save SVG
        </Button>
      )}
      <Button isLittle onClick={() => saveJson(view.comparison, 'comparison.json')}>
        Save JSON
      </Button>
    </span>
  )
}

function Summary({comparison}: {comparison: Comparison}) {
  const {added, removed, renamed, concepts, edges, crossed = []} = comparison
  const members = concepts.flatMap(({concept, anchor: {gained, lost}}) => [
    ...(gained.length > 0 ? [`${concept} has ${listed(gained)} as new in its anchor`] : []),
    ...(lost.length > 0 ? [`${concept} lacks ${listed(lost)} in its anchor`] : [])
  ])
  const lines = [
    ...renamed.map(({from, to}) => `${from} is called ${to}`),
    ...(added.length > 0 ? [`only B has ${listed(added)}`] : []),
    ...(removed.length > 0 ? [`only A has ${listed(removed)}`] : []),
    ...members
  ]
  const isEqual = lines.length + concepts.length + edges.length + crossed.length === 0
  if (isEqual) return <p>The two models do not differ.</p>
  return lines.length === 0 ? (
    <p>Both have the same concepts and anchors.</p>
  ) : (
    <ul class="dots">
      {lines.map(line => (
        <li key={line}>{`${line}.`}</li>
      ))}
    </ul>
  )
}

const RATE_WORDS: Readonly<Record<RateName, string>> = {
  prevalence: 'has it',
  precision: 'has it where the anchor fires',
  truePositive: 'anchor fires with it',
  falsePositive: 'anchor fires without it'
}

function Rates({studio, compared}: {studio: Studio; compared: Compared}) {
  const {concepts} = compared.view.comparison
  const rows = concepts.flatMap(({concept, rates}) =>
    (Object.keys(RATE_WORDS) as RateName[]).flatMap(name => {
      const change = rates[name]
      return change === undefined
        ? []
        : [[concept, RATE_WORDS[name], figure(change.a), figure(change.b), change.verdict]]
    })
  )
  const chart = comparisonChart(compared.view.comparison, compared.titles)
  return (
    <Part title="Rates" none="No rate differs." isEmpty={rows.length === 0}>
      <Table caption="Rates that differ" head={['Concept', 'Share that', 'A', 'B', 'B is']} rows={rows} />
      {chart === undefined ? null : (
        <Drawn studio={studio} request={{kind: 'chart', chart, width: 720}} of={compared} class="chart" />
      )}
    </Part>
  )
}

function Edges({edges}: {edges: readonly EdgeChange[]}) {
  const rows = edges.map(({kind, between, a, b, verdict}) => [between.join(' and '), kind, odds(a), odds(b), verdict])
  return (
    <Part title="Links between concepts" none="No link is gained, lost or clearly changed." isEmpty={rows.length === 0}>
      <Table
        caption="Links that differ"
        head={['Link', '', 'A, times the odds', 'B, times the odds', 'B is']}
        rows={rows}
      />
    </Part>
  )
}

function Words({concepts}: {concepts: readonly ConceptChange[]}) {
  const changed = concepts.filter(({words}) => words.length > 0)
  const names = (words: readonly WordChange[]) => words.map(({word}) => readableFeature(word)).join(', ')
  const rows = changed.map(({concept, words}) => [
    concept,
    names(words.filter(({a}) => a === undefined)),
    names(words.filter(({b}) => b === undefined)),
    words.flatMap(({word, a, b}) => (a && b ? [`${readableFeature(word)} ${a} to ${b}`] : [])).join(', ')
  ])
  return (
    <Part title="The first 20 words" none="They are the same." isEmpty={rows.length === 0}>
      <Table caption="Words that enter, leave or move" head={['Concept', 'Enter', 'Leave', 'Move']} rows={rows} />
    </Part>
  )
}

function Crossed({studio, compared}: {studio: Studio; compared: Compared}) {
  const {comparison, today} = compared.view
  const {crossed = []} = comparison
  const names = new Map(today)
  const rows = crossed.map(({concept, entered, left}) => {
    const own = names.get(concept)
    const link = (count: number, which: 'entered' | 'left') =>
      own === undefined || count === 0 ? (
        counted(count, 'document')
      ) : (
        <GoLink
          studio={studio}
          to={{page: 'documents', concept: own, query: {concept: own, crossed: which}, document: undefined}}
          label={`${counted(count, 'document')} of ${concept} by ${which === 'entered' ? 'B' : 'A'} alone`}
        >
          {counted(count, 'document')}
        </GoLink>
      )
    return [concept, link(entered, 'entered'), link(left, 'left')]
  })
  return (
    <Part title="Documents that cross the threshold" none="None does." isEmpty={rows.length === 0}>
      <Table caption="Documents that cross the threshold" head={['Concept', 'By B alone', 'By A alone']} rows={rows} />
    </Part>
  )
}

function figure({value, low, high}: Figure): string {
  return low === undefined || high === undefined || low === high
    ? percent(value)
    : `${percent(value)} (${percent(low)} to ${percent(high)})`
}

function odds(odds: Figure | undefined): string {
  if (odds === undefined) return 'no link'
  const {value, low, high} = odds
  return low === undefined || high === undefined
    ? factorText(value)
    : `${factorText(value)}, ${factorText(low)} to ${factorText(high)}`
}
