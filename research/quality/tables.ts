import {labelledSizes} from '../../src/use/baselines/index.ts'
import {labelsFor} from '../../src/use/evaluation/index.ts'
import {fillPage, markdownTable} from '../page.ts'
import {mean, spreadOf, spreadText} from '../spread.ts'
import {type QualityCorpus, qualityCorpora} from './corpora.ts'
import type {QualityRow} from './measure.ts'
import {type Setting, settings} from './rates.ts'
import {type QualityRun, readRuns} from './results.ts'

/** All methods in the order of the tables, grouped by the tags they read: `ours` and `others` none. */
const methodGroups = {
  ours: ['robust', 'robust-counts', 'robust-noisy-or', 'independent'],
  /** Earlier methods and common alternatives; no tags read either. */
  others: [
    ...['prior', 'anchors-only', 'anchors-network', 'anchor-label', 'anchor-label-rule'],
    ...['positive-unlabelled', 'positive-unlabelled-rule', 'noise-unbiased', 'noise-unbiased-rule'],
    ...['noise-weighted', 'noise-weighted-rule', 'imputation', 'paper', 'paper-independent']
  ],
  /** Trained on all tags of the training documents. */
  oracles: [
    ...['oracle-anchors-network', 'oracle-mom', 'oracle-ml-tree', 'oracle-ml-independent'],
    ...['supervised-100', 'supervised-500', 'supervised-1000', 'supervised-2000', 'supervised']
  ]
}
const blind = [...methodGroups.ours, ...methodGroups.others]
const all = [...blind, ...methodGroups.oracles]
/** Methods with their own P(y); classifiers treat concepts as independent, as `prior` does. */
const joint = ['robust', 'anchors-network', 'prior', 'imputation', 'paper', 'oracle-mom', 'oracle-ml-tree']
const inEverySetting = [
  ...['robust', 'robust-counts', 'robust-noisy-or', 'anchors-only', 'anchors-network'],
  ...['positive-unlabelled-rule', 'noise-weighted-rule']
]
const timedMethods = [
  ...[...methodGroups.ours, 'paper', 'noise-weighted-rule', 'imputation'],
  ...['supervised', 'oracle-mom', 'oracle-ml-tree']
]
const likelihoodRivals = {
  prior: 'no edges (`prior`)',
  'anchors-network': 'at most one parent (`anchors-network`)',
  imputation: 'a tree from one draw of the tags (`imputation`)',
  paper: 'the tree of the paper (`paper`)'
}
const readmeMethods = {
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
/** A number of a row. */
type Figure = Exclude<keyof QualityRow, 'method' | 'threshold'>

const PAIR = ['lastTag', 'averagePrecision'] as const

/** Digits that are shown; 3 unless stated. */
const digits: Readonly<Partial<Record<Figure, number>>> = {logLikelihood: 2, brier: 4, calibrationError: 4}
const lessIsBetter: readonly Figure[] = ['brier', 'calibrationError']

/** What was recorded when the pages are written. */
let runs: ReadonlyMap<string, readonly QualityRun[]> = new Map()
let corpora: readonly QualityCorpus[] = []

/** Writes the tables of all recorded results into the pages that show them. */
export function writePages(): void {
  runs = new Map(qualityCorpora.map(({name}) => [name, readRuns(name)]))
  corpora = qualityCorpora.filter(({name}) => runsOf(name).length > 0)
  fill('research/quality.md', {
    corpora: corporaTable(),
    main: methodTable(all, PAIR),
    margins: marginTable(),
    losses: byCorpus('rates', ['labels', 'free'] as const, setting => corpus => lossText(corpus, setting)),
    settings: settingsTable(),
    worth: byCorpus('rates', settings, setting => corpus => worthText(corpus, setting)),
    likelihood: methodTable(joint, ['logLikelihood']),
    'likelihood-margins': likelihoodMargins(),
    auc: methodTable(all, ['macroAuc']),
    f1: methodTable(all, ['microF1', 'macroF1']),
    threshold: methodTable(all, ['thresholdMicroF1', 'thresholdMacroF1']),
    calibration: methodTable(all, ['brier', 'calibrationError']),
    time: timeTable()
  })
  fill('README.md', {quality: readmeTable()})
}

function fill(page: string, tables: Readonly<Record<string, string>>): void {
  fillPage(page, Object.fromEntries(Object.entries(tables).map(([name, table]) => [`table: ${name}`, table])))
}

function runsOf(corpus: string): readonly QualityRun[] {
  return runs.get(corpus) ?? []
}

/** The figure of a method for each seed. */
function seedsOf(corpus: string, setting: Setting, method: string, figure: Figure): ReadonlyMap<number, number> {
  const pairs = runsOf(corpus)
    .filter(run => run.setting === setting)
    .flatMap(({seed, rows}): [number, number][] => {
      const value = rows.find(one => one.method === method)?.[figure]
      return value === undefined ? [] : [[seed, value]]
    })
  return new Map(pairs)
}

function valuesOf(corpus: string, setting: Setting, method: string, figure: Figure): number[] {
  return [...seedsOf(corpus, setting, method, figure).values()]
}

/** One method minus another on the splits of both, which cancels the difficulty of a split. */
function differences(
  corpus: string,
  figure: Figure,
  one: readonly [Setting, string],
  other: readonly [Setting, string]
): number[] {
  const own = seedsOf(corpus, ...one, figure)
  return [...seedsOf(corpus, ...other, figure)].map(([seed, value]) => (own.get(seed) ?? Number.NaN) - value)
}

/** `.598 (5)`: mean and standard error, in units of the last digit; a dash for nothing. */
function shown(values: readonly number[], figure?: Figure): string {
  return spreadText(spreadOf(values), figure && digits[figure]).replace(/^(-?)0\./, '$1.')
}

/** With its sign; losses are bold. */
function signedText(values: readonly number[], figure: Figure): string {
  if (values.length === 0) return '-'
  const text = `${mean(values) < 0 ? '' : '+'}${shown(values, figure)}`
  return mean(values) < 0 ? `**${text}**` : text
}

/** A row for each item and a column for each corpus. */
function byCorpus<Item extends string>(
  head: string,
  items: readonly Item[],
  cellOf: (item: Item) => (corpus: string) => string,
  nameOf: (item: Item) => string = item => item
): string {
  const lines = items.map(item => [nameOf(item), ...corpora.map(({name}) => cellOf(item)(name))])
  return markdownTable([head, ...corpora.map(({name}) => name)], lines)
}

const code = (name: string) => `\`${name}\``

function corporaTable(): string {
  const lines = corpora.map(({name, role}) => {
    const own = runsOf(name)
    const sizes = (['concepts', 'words', 'documents', 'heldOut'] as const).map(size =>
      Math.round(mean(own.map(run => run[size]))).toLocaleString('en')
    )
    const made = [...new Set(own.flatMap(({rows}) => rows.map(({date, commit}) => `${date}, ${commit}`)))].join('; ')
    return [name, role, ...sizes, String(new Set(own.map(({seed}) => seed)).size), made]
  })
  return markdownTable(['', '', 'concepts', 'words', 'learned from', 'held out', 'splits', 'measured, commit'], lines)
}

/** One row per method, one column per corpus, rates given; per figure, the best method that reads no tags is bold. */
function methodTable(methods: readonly string[], figures: readonly Figure[]): string {
  const lines = methods
    .filter(method => corpora.some(({name}) => valuesOf(name, 'given', method, figures[0]).length > 0))
    .map(method => [
      code(method),
      ...corpora.map(({name}) =>
        figures
          .map(figure => {
            const text = shown(valuesOf(name, 'given', method, figure), figure)
            return isBest(name, method, figure) ? `**${text}**` : text
          })
          .join(' / ')
      ),
      figures.map(figure => overall(method, figure)).join(' / ')
    ])
  return markdownTable(['', ...corpora.map(({name}) => name), 'mean'], lines)
}

/** Results from fewer splits are not compared: splits differ more than methods. */
function isBest(corpus: string, method: string, figure: Figure): boolean {
  const valuesBy = (other: string) => valuesOf(corpus, 'given', other, figure)
  const rivals = blind.filter(other => valuesBy(other).length === valuesBy('robust').length)
  const sign = lessIsBetter.includes(figure) ? -1 : 1
  const score = (other: string) => sign * mean(valuesBy(other))
  return rivals.includes(method) && !rivals.some(other => score(other) > score(method))
}

/** The mean over the corpora; a dash where one is missing. */
function overall(method: string, figure: Figure): string {
  return shown([mean(corpora.map(({name}) => mean(valuesOf(name, 'given', method, figure))))], figure)
}

/** Time of one method of each kind; the machine was shared, so there are no standard errors. */
function timeTable(): string {
  const cell = (method: string) => (corpus: string) => {
    const [seconds, speed] = (['trainingSeconds', 'documentsPerSecond'] as const).map(figure =>
      mean(valuesOf(corpus, 'given', method, figure))
    )
    return `${seconds.toFixed(1)} / ${Number(speed.toPrecision(2)).toLocaleString('en')}`
  }
  return byCorpus('', timedMethods, cell, code)
}

function settingsTable(): string {
  const lines = inEverySetting.flatMap(method =>
    settings.map(setting => [
      code(method),
      setting,
      ...corpora.map(({name}) => PAIR.map(figure => shown(valuesOf(name, setting, method, figure), figure)).join(' / '))
    ])
  )
  return markdownTable(['', 'rates', ...corpora.map(({name}) => name)], lines)
}

/** The loss of `robust` from worse rates, split by split. */
function lossText(corpus: string, setting: Setting): string {
  return PAIR.map(figure => shown(differences(corpus, figure, [setting, 'robust'], ['given', 'robust']))).join(' / ')
}

/** What P(y) of `robust`, a network of pairs, gains in log P(tags) over each other P(y) learned without tags, split by split. */
function likelihoodMargins(): string {
  const gains = (method: string) => (corpus: string) =>
    signedText(differences(corpus, 'logLikelihood', ['given', 'robust'], ['given', method]), 'logLikelihood')
  const rivals = Object.keys(likelihoodRivals) as (keyof typeof likelihoodRivals)[]
  return byCorpus('over', rivals, gains, method => likelihoodRivals[method])
}

/** `robust` minus the best of the others, split by split. */
function marginTable(): string {
  const margin = (corpus: string, setting: Setting, figure: Figure) => {
    const margins = methodGroups.others.flatMap(method => {
      const values = differences(corpus, figure, [setting, 'robust'], [setting, method])
      return values.length === 0 ? [] : [{method, values}]
    })
    const {method, values} = margins.reduce((least, one) => (mean(one.values) < mean(least.values) ? one : least))
    return `${signedText(values, figure)} over \`${method}\``
  }
  const lines = settings.flatMap(setting =>
    corpora
      .filter(({name}) => valuesOf(name, setting, 'robust', 'lastTag').length > 0)
      .map(({name}) => [setting, name, ...PAIR.map(figure => margin(name, setting, figure))])
  )
  return markdownTable(['rates', '', 'last tag', 'average precision'], lines)
}

/**
 * How many labelled documents TF-IDF logistic regression needs for the average precision of `robust` on the same split: the
 * geometric mean of the splits, and in brackets the lowest and the highest.
 */
function worthText(corpus: string, setting: Setting): string {
  const worths = [...seedsOf(corpus, setting, 'robust', 'averagePrecision')].flatMap(([seed, precision]) => {
    const curve = curveOf(corpus, seed)
    return curve.length < 2 ? [] : [{labels: labelsFor(precision, curve), most: curve[curve.length - 1][0]}]
  })
  if (worths.length === 0) return '-'
  const most = Math.max(...worths.map(worth => worth.most))
  const sorted = worths.map(({labels, most: all}) => (labels >= all ? most : labels)).sort((a, b) => a - b)
  const middle = Math.exp(mean(sorted.map(labels => Math.log(labels))))
  const [low, center, high] = [sorted[0], middle, sorted[sorted.length - 1]].map(labels => {
    if (labels <= labelledSizes[0]) return `under ${labelledSizes[0]}`
    return labels >= most ? `over ${most.toLocaleString('en')}` : Number(labels.toPrecision(2)).toLocaleString('en')
  })
  return low === high ? center : `${center} (${low} to ${high})`
}

/** Labels and average precision of the regressions on one split. */
function curveOf(corpus: string, seed: number): (readonly [number, number])[] {
  const all = runsOf(corpus).find(run => run.seed === seed && run.setting === 'given')?.documents ?? 0
  const points = [...labelledSizes.map(size => [`supervised-${size}`, size] as const), ['supervised', all] as const]
  return points.flatMap(([method, labels]) => {
    const precision = seedsOf(corpus, 'given', method, 'averagePrecision').get(seed)
    return precision === undefined ? [] : [[labels, precision] as const]
  })
}

/** Last tag and average precision with two digits, and what `robust` is worth without labels. */
function readmeTable(): string {
  const meanOf = (corpus: string, method: string, figure: Figure) => mean(valuesOf(corpus, 'given', method, figure))
  const best = (corpus: string, figure: Figure) =>
    Math.max(...methodGroups.others.map(method => meanOf(corpus, method, figure)).filter(value => !Number.isNaN(value)))
  const lines = Object.entries(readmeMethods).map(([method, name]) => [
    name,
    ...corpora.map(({name: corpus}) => {
      const pair = PAIR.map(figure => (method === '' ? best(corpus, figure) : meanOf(corpus, method, figure)))
      return Number.isNaN(pair[0]) ? '-' : pair.map(value => value.toFixed(2).replace('0.', '.')).join(' / ')
    })
  ])
  const worth = ['**adfa without labels is worth**', ...corpora.map(({name}) => worthText(name, 'free'))]
  return markdownTable(['', ...corpora.map(({name}) => shortName(name))], [...lines, worth])
}

function shortName(corpus: string): string {
  return corpus
    .replace('stackoverflow-', 'SO ')
    .replace('chest-xray', 'chest X-ray')
    .replace(/-(packages|icd9)$/, '')
}
