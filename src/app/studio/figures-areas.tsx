import {useState} from 'preact/hooks'
import {counted, grouped, listed, percent} from '../../base/text/index.ts'
import type {ConceptRow, EvaluationView, FigureCell, FiguresTable} from '../desk/index.ts'
import {Drawn} from './drawn.tsx'
import {GoLink} from './go-link.tsx'
import {Bar, Button, Severity} from './parts.tsx'
import type {Studio} from './store.ts'

/** The same model by its links: a setting away. */
const LINKS = 'noisy-or'

/** Methods that are described in a sentence each. */
const FEW = 3

/** The model beside every method, the best of each figure marked, whoever it is. */
export function FiguresArea({studio, view, isBusy}: {studio: Studio; view: EvaluationView; isBusy: boolean}) {
  const {tables, rivals, remarks, overconfidence, pending = []} = view
  const clear = rivals.filter(({isLevel}) => !isLevel)
  const {fit} = studio.project.value
  return (
    <section class="area wide" aria-labelledby="figures-title">
      <div class="head">
        <h2 id="figures-title">{tables[0].title}</h2>
        <span class="soft">
          ▴ best, ≈ no clear difference from the best; methods that learn from tags are left aside
        </span>
      </div>
      <p class="finding-lead">
        {clear.length > 0
          ? clear.slice(0, FEW).map(({name, words}) => (
              <span key={name}>
                <b>{name}</b> {words}.{' '}
              </span>
            ))
          : pending.length === 0
            ? 'No simpler method is clearly better than this model in any figure.'
            : null}
        {clear.length > FEW ? `So do ${listed(clear.slice(FEW).map(({name}) => name))} in some figures. ` : null}
        {clear.some(({name}) => name === LINKS) ? (
          <Button isLittle onClick={() => studio.edit({kind: 'setFit', fit: {...fit, words: LINKS}})}>
            Predict with noisy-or links instead
          </Button>
        ) : null}
      </p>
      {overconfidence === undefined ? null : <p class="say bad">{overconfidence}</p>}
      {pending.length === 0 ? null : (
        <p class="say">
          {isBusy ? 'Still at work' : 'Not measured'}: {listed(pending)}.
        </p>
      )}
      {tables.map((table, at) => (
        <FiguresTableView key={table.title} table={table} title={at > 0 ? table.title : undefined} />
      ))}
      <p class="soft small foot">{[...remarks, ...untrained(view)].join(' ')}</p>
    </section>
  )
}

/** Why classifiers are not trained, where tags would allow it. */
function untrained({training, on}: EvaluationView): string[] {
  return typeof training === 'object' && on !== 'labels' ? [`Not trained: ${training.refused}.`] : []
}

function FiguresTableView({table, title}: {table: FiguresTable; title: string | undefined}) {
  return (
    <>
      {title === undefined ? null : <h3>{title}</h3>}
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">method</th>
            {table.columns.map(({name, meaning}) => (
              <th scope="col" class="n" key={name} title={meaning}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map(({name, meaning, cells}, at) => (
            <tr class={at === 0 ? 'ours' : undefined} key={`${name} ${meaning}`}>
              <th scope="row">
                {name} <span class="soft small">{meaning}</span>
              </th>
              {cells.map((cell, place) => (
                <td class="n" key={table.columns[place].name} data-name={table.columns[place].name}>
                  <Figure cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function Figure({cell: {text, range, isBest, isLevel}}: {cell: FigureCell}) {
  return (
    <>
      <span class={isBest ? 'best' : isLevel ? 'level' : undefined}>{text}</span>
      {isBest || isLevel ? <span class="unseen">{isBest ? ' best' : ' no clear difference from the best'}</span> : null}
      {range === undefined ? null : <span class="soft range">{range}</span>}
    </>
  )
}

const COLUMNS = ['F1*', 'precision', 'recall', 'avg. precision']

/** A row a concept; its mistakes are one step away. */
export function ConceptsArea({studio, view}: {studio: Studio; view: EvaluationView}) {
  const isLabelled = view.on === 'labels'
  const columns = isLabelled ? ['F1', ...COLUMNS.slice(1, 3)] : COLUMNS
  return (
    <section class={isLabelled ? 'area wide' : 'area'} aria-labelledby="concepts-title">
      <div class="head">
        <h2 id="concepts-title">By concept, worst first</h2>
        <span class="soft">numbers open their documents</span>
      </div>
      <table class="per-concept">
        <thead>
          <tr>
            <th scope="col">concept</th>
            {columns.map(name => (
              <th scope="col" class={name === columns[0] ? undefined : 'n'} key={name}>
                {name}
              </th>
            ))}
            {[isLabelled ? 'labelled yes' : 'tags', 'false alarms', 'missed'].map(name => (
              <th scope="col" class="n" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {view.concepts.map(row => (
            <ConceptLine key={row.name} studio={studio} row={row} columns={columns} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function ConceptLine({studio, row, columns}: {studio: Studio; row: ConceptRow; columns: readonly string[]}) {
  const {name, f1, texts, tags, alarms, misses} = row
  const faults = studio.state.value.findings.filter(one => one.concept === name && one.severity === 'fault').length
  const [first, ...others] = texts.map(text => <Ranged text={text} />)
  return (
    <tr>
      <th scope="row">
        {name} {faults > 0 ? <Severity is="fault">{counted(faults, 'fault')}</Severity> : null}
      </th>
      <td class="nowrap" data-name={columns[0]}>
        {f1 === undefined ? null : <Bar share={f1} />}
        {first}
      </td>
      {others.map((text, at) => (
        <td class="n" key={columns[at + 1]} data-name={columns[at + 1]}>
          {text}
        </td>
      ))}
      <td class="n" data-name="tags">
        {grouped(tags)}
      </td>
      {(
        [
          [alarms, 'false alarms', 'alarm'],
          [misses, 'missed', 'miss']
        ] as const
      ).map(([count, what, mistakes]) => (
        <td class="n" key={what} data-name={what}>
          {count === 0 ? (
            '0'
          ) : (
            <GoLink studio={studio} to={{concept: name, mistakes}} label={`${count} ${what} of ${name}`}>
              {grouped(count)}
            </GoLink>
          )}
        </td>
      ))}
    </tr>
  )
}

/** "0.63 (0.58 to 0.68)", the interval on a line of its own where there is little room. */
function Ranged({text}: {text: string}) {
  const [value, range] = text.split(/ (?=\()/)
  return (
    <>
      {value} {range === undefined ? null : <span class="soft range">{range}</span>}
    </>
  )
}

/** How often probabilities come true, as a picture or as a table. */
export function ReliabilityArea({studio, view, isOld}: {studio: Studio; view: EvaluationView; isOld: boolean}) {
  const [isTable, setTable] = useState(false)
  const share = (value: number) => `${(100 * value).toFixed(1)}%`
  const far = view.reliability.toSorted((a, b) => distance(b) - distance(a))[0]
  return (
    <section class="area" aria-labelledby="reliability-title">
      <div class="head">
        <h2 id="reliability-title">Do probabilities come true?</h2>
        <Button look="quiet" isLittle also="link" onClick={() => setTable(!isTable)}>
          {isTable ? 'as a picture' : 'as a table'}
        </Button>
      </div>
      {isTable || isOld ? (
        <table>
          <thead>
            <tr>
              <th scope="col" class="n">
                mean probability
              </th>
              <th scope="col" class="n">
                found
              </th>
              <th scope="col" class="n">
                predictions
              </th>
            </tr>
          </thead>
          <tbody>
            {view.reliability.map(({meanProbability, shareFound, count}) => (
              <tr key={meanProbability}>
                <td class="n">{share(meanProbability)}</td>
                <td class="n">{share(shareFound)}</td>
                <td class="n">{grouped(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <Drawn studio={studio} request={{kind: 'reliability'}} of={view} class="chart" />
      )}
      <p class="foot">{`Where this model says ${percent(far.meanProbability)}, ${percent(far.shareFound)} come true.`}</p>
      <p class="soft small">
        Each point is a group of predictions of similar probability. On the diagonal, they come true as often as the
        model says; below it, less often.
      </p>
    </section>
  )
}

/** By how many predictions a group is off. */
function distance({meanProbability, shareFound, count}: EvaluationView['reliability'][number]): number {
  return Math.sqrt(count) * Math.abs(meanProbability - shareFound)
}
