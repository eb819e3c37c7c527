import {useState} from 'preact/hooks'
import {counted, grouped, listed, percent} from '../../../../base/text/index.ts'
import {Bar, type Column, Table} from '../../../present/index.ts'
import type {ConceptRow, EvaluationView, FigureCell, FiguresTable} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {Button} from '../../ui/controls.tsx'
import {GoLink} from '../../ui/go-link.tsx'
import {Severity} from '../../ui/marks.tsx'
import {Drawn} from '../../ui/picture.tsx'

/** The same model by its links: a setting away. */
const LINKS = 'noisy-or'

/** Methods that are described in a sentence each. */
const FEW = 3

/** The model beside every method, the best of each figure marked, whoever it is. */
export function FiguresArea({view, isBusy}: {view: EvaluationView; isBusy: boolean}) {
  const studio = useStudio()
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
      <Table
        class="figures"
        rows={table.rows}
        keyOf={({name, meaning}) => `${name} ${meaning}`}
        rowLook={(_, at) => (at === 0 ? 'ours' : undefined)}
        columns={[
          {
            name: 'method',
            cell: ({name, meaning}) => (
              <>
                {name} <span class="soft small">{meaning}</span>
              </>
            )
          },
          ...table.columns.map(
            ({name, meaning}, at): Column<FiguresTable['rows'][number]> => ({
              name,
              meaning,
              isFigure: true,
              cell: ({cells}) => <Figure cell={cells[at]} />
            })
          )
        ]}
      />
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

const FIGURES = ['F1*', 'precision', 'recall', 'avg. precision']

/** A row a concept; its mistakes are one step away. */
export function ConceptsArea({view}: {view: EvaluationView}) {
  const studio = useStudio()
  const isLabelled = view.on === 'labels'
  const [first, ...others] = isLabelled ? ['F1', ...FIGURES.slice(1, 3)] : FIGURES
  const faultsOf = (name: string) =>
    studio.state.value.findings.filter(one => one.concept === name && one.severity === 'fault').length
  const mistakes = (name: string, kind: 'alarm' | 'miss', count: (row: ConceptRow) => number): Column<ConceptRow> => ({
    name,
    isFigure: true,
    cell: row =>
      count(row) === 0 ? (
        '0'
      ) : (
        <GoLink to={{concept: row.name, mistakes: kind}} label={`${count(row)} ${name} of ${row.name}`}>
          {grouped(count(row))}
        </GoLink>
      )
  })
  const columns: readonly Column<ConceptRow>[] = [
    {
      name: 'concept',
      cell: ({name}) => (
        <>
          {name} {faultsOf(name) > 0 ? <Severity is="fault">{counted(faultsOf(name), 'fault')}</Severity> : null}
        </>
      )
    },
    {
      name: first,
      look: 'nowrap',
      cell: ({f1, texts}) => (
        <>
          {f1 === undefined ? null : <Bar share={f1} />}
          <Ranged text={texts[0]} />
        </>
      )
    },
    ...others.map(
      (name, at): Column<ConceptRow> => ({
        name,
        isFigure: true,
        cell: ({texts}) => <Ranged text={texts[at + 1]} />
      })
    ),
    {name: isLabelled ? 'labelled yes' : 'tags', isFigure: true, cell: ({tags}) => grouped(tags)},
    mistakes('false alarms', 'alarm', ({alarms}) => alarms),
    mistakes('missed', 'miss', ({misses}) => misses)
  ]
  return (
    <section class={isLabelled ? 'area wide' : 'area'} aria-labelledby="concepts-title">
      <div class="head">
        <h2 id="concepts-title">By concept, worst first</h2>
        <span class="soft">numbers open their documents</span>
      </div>
      <Table class="per-concept" rows={view.concepts} keyOf={({name}) => name} columns={columns} />
    </section>
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
export function ReliabilityArea({view, isOld}: {view: EvaluationView; isOld: boolean}) {
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
        <Table
          rows={view.reliability}
          keyOf={({meanProbability}) => String(meanProbability)}
          columns={[
            {name: 'mean probability', isFigure: true, cell: ({meanProbability}) => share(meanProbability)},
            {name: 'found', isFigure: true, cell: ({shareFound}) => share(shareFound)},
            {name: 'predictions', isFigure: true, cell: ({count}) => grouped(count)}
          ]}
        />
      ) : (
        <Drawn request={{kind: 'reliability'}} of={view} class="chart" />
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
