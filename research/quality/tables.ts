import {labelledSizes} from '../../src/use/baselines/index.ts'
import {labelsFor} from '../../src/use/evaluation/index.ts'
import {fillPage, markdownTable} from '../page.ts'
import {mean, type Spread, spreadOf, spreadText} from '../spread.ts'
import {qualityCorpora} from './corpora.ts'
import type {QualityRow} from './measure.ts'
import {type Setting, settings} from './rates.ts'
import {type QualityRun, readRuns} from './results.ts'

/** Writes the tables of all recorded results into the pages that show them. */
export function writePages(): void {
  const recorded = new Recorded()
  const named = (tables: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(tables).map(([name, table]) => [`table: ${name}`, table]))
  fillPage('research/quality.md', named(qualityTables(recorded)))
  fillPage('README.md', named({quality: readmeTable(recorded)}))
  fillPage('docs/evaluation.md', named({example: exampleTable(recorded, 'cooking')}))
}

/** `.598 (5)`: the standard error in units of the last digit. */
function shown(spread: Pick<Spread, 'mean' | 'error'>, digits?: number): string {
  return spreadText(spread, digits).replace(/^(-?)0\./, '$1.')
}

/** All methods in the order of the tables, grouped by the tags they read. */
const methodGroups = {
  /** This project; no tags read. */
  ours: ['robust', 'robust-counts', 'robust-noisy-or', 'independent'],
  /** Earlier methods and common alternatives; no tags read either. */
  others: [
    'prior',
    'anchors-only',
    'anchors-network',
    'anchor-label',
    'anchor-label-rule',
    'positive-unlabelled',
    'positive-unlabelled-rule',
    'noise-unbiased',
    'noise-unbiased-rule',
    'noise-weighted',
    'noise-weighted-rule',
    'imputation',
    'paper',
    'paper-independent'
  ],
  /** Trained on all tags of the training documents. */
  oracles: [
    'oracle-anchors-network',
    'oracle-mom',
    'oracle-ml-tree',
    'oracle-ml-independent',
    'supervised-100',
    'supervised-500',
    'supervised-1000',
    'supervised-2000',
    'supervised'
  ]
} as const

/** A number of a row. */
interface Figure {
  readonly of: (row: QualityRow) => number | undefined
  /** Whether more of it is better. */
  readonly sign: 1 | -1
  readonly digits: number
}

const figures = {
  lastTag: {of: row => row.lastTag, sign: 1, digits: 3},
  averagePrecision: {of: row => row.averagePrecision, sign: 1, digits: 3},
  logLikelihood: {of: row => row.logLikelihood, sign: 1, digits: 2},
  macroAuc: {of: row => row.macroAuc, sign: 1, digits: 3},
  microF1: {of: row => row.microF1, sign: 1, digits: 3},
  macroF1: {of: row => row.macroF1, sign: 1, digits: 3},
  thresholdMicroF1: {of: row => row.thresholdMicroF1, sign: 1, digits: 3},
  thresholdMacroF1: {of: row => row.thresholdMacroF1, sign: 1, digits: 3},
  brier: {of: row => row.brier, sign: -1, digits: 4},
  calibrationError: {of: row => row.calibrationError, sign: -1, digits: 4},
  trainingSeconds: {of: row => row.trainingSeconds, sign: -1, digits: 1},
  documentsPerSecond: {of: row => row.documentsPerSecond, sign: 1, digits: 0}
} as const satisfies Record<string, Figure>

type FigureName = keyof typeof figures

/** All that was recorded. */
class Recorded {
  readonly corpora = qualityCorpora.filter(({name}) => readRuns(name).length > 0)
  readonly #runs = new Map(this.corpora.map(({name}) => [name, readRuns(name)]))

  runs(corpus: string): readonly QualityRun[] {
    return this.#runs.get(corpus) ?? []
  }

  /** The figure of a method for each seed. */
  seeds(corpus: string, setting: Setting, method: string, figure: FigureName): ReadonlyMap<number, number> {
    const pairs = this.runs(corpus)
      .filter(run => run.setting === setting)
      .flatMap(({seed, rows}): [number, number][] => {
        const row = rows.find(one => one.method === method)
        const value = row && figures[figure].of(row)
        return value === undefined ? [] : [[seed, value]]
      })
    return new Map(pairs)
  }

  /** One method minus another on the splits of both, which cancels the difficulty of a split. */
  differences(
    corpus: string,
    figure: FigureName,
    one: readonly [Setting, string],
    other: readonly [Setting, string]
  ): number[] {
    const own = this.seeds(corpus, ...one, figure)
    return [...this.seeds(corpus, ...other, figure)].map(([seed, value]) => (own.get(seed) ?? Number.NaN) - value)
  }

  spread(corpus: string, setting: Setting, method: string, figure: FigureName): Spread | undefined {
    const values = [...this.seeds(corpus, setting, method, figure).values()]
    return values.length === 0 ? undefined : spreadOf(values)
  }
}

const PAIR = ['lastTag', 'averagePrecision'] as const
const blind: readonly string[] = [...methodGroups.ours, ...methodGroups.others]
const all: readonly string[] = [...blind, ...methodGroups.oracles]
/** Methods with their own P(y); classifiers treat concepts as independent, as `prior` does. */
const joint = ['robust', 'anchors-network', 'prior', 'imputation', 'paper', 'oracle-mom', 'oracle-ml-tree']
const inEverySetting = [
  'robust',
  'robust-counts',
  'robust-noisy-or',
  'anchors-only',
  'anchors-network',
  'positive-unlabelled-rule',
  'noise-weighted-rule'
]
const timedMethods = [
  ...methodGroups.ours,
  'paper',
  'noise-weighted-rule',
  'imputation',
  'supervised',
  'oracle-mom',
  'oracle-ml-tree'
]

/** The tables of research/quality.md by name. */
function qualityTables(recorded: Recorded): Readonly<Record<string, string>> {
  return {
    corpora: corporaTable(recorded),
    main: methodTable(recorded, all, PAIR),
    margins: marginTable(recorded),
    losses: lossTable(recorded),
    settings: settingsTable(recorded),
    worth: worthTable(recorded),
    likelihood: methodTable(recorded, joint, ['logLikelihood']),
    'likelihood-margins': likelihoodMargins(recorded),
    auc: methodTable(recorded, all, ['macroAuc']),
    f1: methodTable(recorded, all, ['microF1', 'macroF1']),
    threshold: methodTable(recorded, all, ['thresholdMicroF1', 'thresholdMacroF1']),
    calibration: methodTable(recorded, all, ['brier', 'calibrationError']),
    time: timeTable(recorded)
  }
}

function corporaTable(recorded: Recorded): string {
  const lines = recorded.corpora.map(({name, role}) => {
    const own = recorded.runs(name)
    const size = (of: (run: QualityRun) => number) => Math.round(mean(own.map(of))).toLocaleString('en')
    const sizes = [
      size(run => run.concepts),
      size(run => run.words),
      size(run => run.documents),
      size(run => run.heldOut)
    ]
    const made = [...new Set(own.flatMap(({rows}) => rows.map(({date, commit}) => `${date}, ${commit}`)))].join('; ')
    return [name, role, ...sizes, String(new Set(own.map(({seed}) => seed)).size), made]
  })
  return markdownTable(['', '', 'concepts', 'words', 'learned from', 'held out', 'splits', 'measured, commit'], lines)
}

/** One row per method, one column per corpus, rates given; per figure, the best method that reads no tags is bold. */
function methodTable(recorded: Recorded, methods: readonly string[], names: readonly FigureName[]): string {
  const lines = methods
    .filter(method => recorded.corpora.some(({name}) => recorded.spread(name, 'given', method, names[0])))
    .map(method => [
      `\`${method}\``,
      ...recorded.corpora.map(({name}) => cell(recorded, {corpus: name, method}, names, isBest)),
      names.map(name => overall(recorded, method, name)).join(' / ')
    ])
  return markdownTable(['', ...recorded.corpora.map(({name}) => name), 'mean'], lines)

  /** Results from fewer splits are not compared: splits differ more than methods. */
  function isBest({corpus, method}: Place, figure: FigureName, value: Pick<Spread, 'mean' | 'error'>): boolean {
    const {sign} = figures[figure]
    const splits = (other: string) => recorded.seeds(corpus, 'given', other, figure).size
    const rivals = blind.filter(other => splits(other) === splits('robust'))
    const means = rivals.map(other => recorded.spread(corpus, 'given', other, figure)?.mean ?? Number.NaN)
    return rivals.includes(method) && !means.some(mean => sign * mean > sign * value.mean)
  }
}

/** The mean over the corpora; a dash where one is missing. */
function overall(recorded: Recorded, method: string, figure: FigureName): string {
  const means = recorded.corpora.map(({name}) => recorded.spread(name, 'given', method, figure)?.mean ?? Number.NaN)
  return means.some(Number.isNaN) ? '-' : shown({mean: mean(means), error: undefined}, figures[figure].digits)
}

interface Place {
  readonly corpus: string
  readonly method: string
  readonly setting?: Setting
}

function cell(
  recorded: Recorded,
  {corpus, method, setting = 'given'}: Place,
  names: readonly FigureName[],
  isBest: (place: Place, figure: FigureName, value: Pick<Spread, 'mean' | 'error'>) => boolean = () => false
): string {
  const parts = names.map(name => {
    const value = recorded.spread(corpus, setting, method, name)
    if (value === undefined) return '-'
    const text = shown(value, figures[name].digits)
    return isBest({corpus, method}, name, value) ? `**${text}**` : text
  })
  return parts.join(' / ')
}

/** Time of one method of each kind; the machine was shared, so there are no standard errors. */
function timeTable(recorded: Recorded): string {
  const cells = (method: string) =>
    recorded.corpora.map(({name}) => {
      const [seconds, speed] = (['trainingSeconds', 'documentsPerSecond'] as const).map(
        figure => recorded.spread(name, 'given', method, figure)?.mean ?? Number.NaN
      )
      return `${seconds.toFixed(1)} / ${Number(speed.toPrecision(2)).toLocaleString('en')}`
    })
  const lines = timedMethods.map(method => [`\`${method}\``, ...cells(method)])
  return markdownTable(['', ...recorded.corpora.map(({name}) => name)], lines)
}

function settingsTable(recorded: Recorded): string {
  const lines = inEverySetting.flatMap(method =>
    settings.map(setting => [
      `\`${method}\``,
      setting,
      ...recorded.corpora.map(({name}) => cell(recorded, {corpus: name, method, setting}, PAIR))
    ])
  )
  return markdownTable(['', 'rates', ...recorded.corpora.map(({name}) => name)], lines)
}

function worthTable(recorded: Recorded): string {
  const lines = settings.map(setting => [
    setting,
    ...recorded.corpora.map(({name}) => worthText(recorded, name, setting))
  ])
  return markdownTable(['rates', ...recorded.corpora.map(({name}) => name)], lines)
}

/** The loss of `robust` from worse rates, split by split. */
function lossTable(recorded: Recorded): string {
  const difference = (corpus: string, setting: Setting, figure: FigureName) =>
    shown(spreadOf(recorded.differences(corpus, figure, [setting, 'robust'], ['given', 'robust'])))
  const lines = (['labels', 'free'] as const).map(setting => [
    setting,
    ...recorded.corpora.map(({name}) => PAIR.map(figure => difference(name, setting, figure)).join(' / '))
  ])
  return markdownTable(['rates', ...recorded.corpora.map(({name}) => name)], lines)
}

/** What P(y) of `robust`, a network of pairs, gains in log P(tags) over each other P(y) learned without tags, split by split. */
function likelihoodMargins(recorded: Recorded): string {
  const lines = Object.entries(LIKELIHOOD_RIVALS).map(([method, name]) => [
    name,
    ...recorded.corpora.map(({name: corpus}) => {
      const gains = recorded.differences(corpus, 'logLikelihood', ['given', 'robust'], ['given', method])
      return gains.length === 0 ? '-' : signedText(spreadOf(gains), figures.logLikelihood.digits)
    })
  ])
  return markdownTable(['over', ...recorded.corpora.map(({name}) => name)], lines)
}

const LIKELIHOOD_RIVALS = {
  prior: 'no edges (`prior`)',
  'anchors-network': 'at most one parent (`anchors-network`)',
  imputation: 'a tree from one draw of the tags (`imputation`)',
  paper: 'the tree of the paper (`paper`)'
}

/** With its sign; losses are bold. */
function signedText(value: Pick<Spread, 'mean' | 'error'>, digits?: number): string {
  const text = `${value.mean < 0 ? '' : '+'}${shown(value, digits)}`
  return value.mean < 0 ? `**${text}**` : text
}

/** `robust` minus the best of the others, split by split, which cancels the difficulty of a split. */
function marginTable(recorded: Recorded): string {
  const lines = settings.flatMap(setting =>
    recorded.corpora
      .filter(({name}) => recorded.spread(name, setting, 'robust', 'lastTag'))
      .map(({name}) => [setting, name, ...PAIR.map(figure => margin(recorded, name, setting, figure))])
  )
  return markdownTable(['rates', '', 'last tag', 'average precision'], lines)
}

function margin(recorded: Recorded, corpus: string, setting: Setting, figure: FigureName): string {
  const margins = methodGroups.others.flatMap(method => {
    const differences = recorded.differences(corpus, figure, [setting, 'robust'], [setting, method])
    return differences.length === 0 ? [] : [{method, ...spreadOf(differences)}]
  })
  const {method, mean, error} = margins.reduce((least, one) => (one.mean < least.mean ? one : least))
  return `${signedText({mean, error})} over \`${method}\``
}

/**
 * How many labelled documents TF-IDF logistic regression needs for the average precision of `robust` on the same split: the
 * geometric mean of the splits, and in brackets the lowest and the highest.
 */
function worthText(recorded: Recorded, corpus: string, setting: Setting): string {
  const own = recorded.seeds(corpus, setting, 'robust', 'averagePrecision')
  const worths = [...own].flatMap(([seed, precision]) => {
    const curve = curveOf(recorded, corpus, seed)
    return curve.length < 2 ? [] : [{labels: labelsFor(precision, curve), most: curve[curve.length - 1][0]}]
  })
  if (worths.length === 0) return '-'
  const most = Math.max(...worths.map(worth => worth.most))
  const sorted = worths.map(({labels, most: all}) => (labels >= all ? most : labels)).sort((a, b) => a - b)
  const middle = Math.exp(sorted.reduce((sum, labels) => sum + Math.log(labels), 0) / sorted.length)
  const [low, center, high] = [sorted[0], middle, sorted[sorted.length - 1]].map(amount)
  return low === high ? center : `${center} (${low} to ${high})`

  function amount(labels: number): string {
    if (labels <= labelledSizes[0]) return `under ${labelledSizes[0]}`
    return labels >= most ? `over ${most.toLocaleString('en')}` : Number(labels.toPrecision(2)).toLocaleString('en')
  }
}

/** Labels and average precision of the regressions on one split. */
function curveOf(recorded: Recorded, corpus: string, seed: number): (readonly [number, number])[] {
  const all = recorded.runs(corpus).find(run => run.seed === seed && run.setting === 'given')?.documents ?? 0
  const points = [...labelledSizes.map(size => [`supervised-${size}`, size] as const), ['supervised', all] as const]
  return points.flatMap(([method, labels]) => {
    const precision = recorded.seeds(corpus, 'given', method, 'averagePrecision').get(seed)
    return precision === undefined ? [] : [[labels, precision] as const]
  })
}

const README_METHODS = {
  robust: '**adfa**',
  'robust-noisy-or': 'its noisy-or links alone',
  '': 'best other method without labels, per figure',
  paper: "the paper's settings, leaks clipped at 0",
  'supervised-100': 'TF-IDF logistic regression, 100 labelled documents',
  'supervised-500': '500',
  'supervised-1000': '1,000',
  'supervised-2000': '2,000',
  supervised: 'all'
}

/** Last tag and average precision with two digits, and what `robust` is worth without labels. */
function readmeTable(recorded: Recorded): string {
  const {corpora} = recorded
  const meanOf = (corpus: string, method: string, figure: FigureName) =>
    recorded.spread(corpus, 'given', method, figure)?.mean ?? Number.NaN
  const best = (corpus: string, figure: FigureName) =>
    Math.max(...methodGroups.others.map(method => meanOf(corpus, method, figure)).filter(value => !Number.isNaN(value)))
  const lines = Object.entries(README_METHODS).map(([method, name]) => [
    name,
    ...corpora.map(({name: corpus}) => {
      const pair = (['lastTag', 'averagePrecision'] as const).map(figure =>
        method === '' ? best(corpus, figure) : meanOf(corpus, method, figure)
      )
      return Number.isNaN(pair[0]) ? '-' : pair.map(value => shown({mean: value, error: undefined}, 2)).join(' / ')
    })
  ])
  const worth = ['**adfa without labels is worth**', ...corpora.map(({name}) => worthText(recorded, name, 'free'))]
  return markdownTable(['', ...corpora.map(({name}) => shortName(name))], [...lines, worth])
}

function shortName(corpus: string): string {
  return corpus
    .replace('stackoverflow-', 'SO ')
    .replace('chest-xray', 'chest X-ray')
    .replace(/-(packages|icd9)$/, '')
}

const EXAMPLE_METHODS = [
  'robust',
  'robust-noisy-or',
  'anchors-only',
  'independent',
  'positive-unlabelled-rule',
  'supervised-100',
  'supervised-500',
  'supervised-1000',
  'supervised-2000',
  'supervised',
  'oracle-mom'
]

const EXAMPLE_FIGURES = {
  lastTag: 'last tag',
  averagePrecision: 'average precision',
  microF1: 'micro F1 at 0.5',
  thresholdMicroF1: 'at the threshold',
  calibrationError: 'calibration'
} as const

/** Some methods on one corpus, rates given. */
function exampleTable(recorded: Recorded, corpus: string): string {
  const keys = Object.keys(EXAMPLE_FIGURES) as (keyof typeof EXAMPLE_FIGURES)[]
  const lines = EXAMPLE_METHODS.map(method => [
    `\`${method}\``,
    ...keys.map(key => {
      const value = recorded.spread(corpus, 'given', method, key)
      return value === undefined ? '-' : shown(value, figures[key].digits)
    })
  ])
  return markdownTable(['', ...Object.values(EXAMPLE_FIGURES)], lines)
}
