import {type FigureName, figures, type Recorded} from './figures.ts'
import {methodGroups} from './method-names.ts'
import type {QualityRun} from './results.ts'
import {type Setting, settings} from './settings.ts'
import {average, type Estimate, estimate, shown} from './statistics.ts'
import {worthText} from './worth.ts'

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
export function qualityTables(recorded: Recorded): Readonly<Record<string, string>> {
  return {
    corpora: corporaTable(recorded),
    main: methodTable(recorded, all, PAIR, [goals(recorded, 'recipe'), goals(recorded, 'aim')]),
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

export function markdown(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n')
}

function corporaTable(recorded: Recorded): string {
  const lines = recorded.corpora.map(({name, role}) => {
    const own = recorded.runs(name)
    const mean = (of: (run: QualityRun) => number) => Math.round(average(own.map(of))).toLocaleString('en')
    const sizes = [
      mean(run => run.concepts),
      mean(run => run.words),
      mean(run => run.documents),
      mean(run => run.heldOut)
    ]
    const made = [...new Set(own.flatMap(({rows}) => rows.map(({date, commit}) => `${date}, ${commit}`)))].join('; ')
    return [name, role, ...sizes, String(new Set(own.map(({seed}) => seed)).size), made]
  })
  return markdown(['', '', 'concepts', 'words', 'learned from', 'held out', 'splits', 'measured, commit'], lines)
}

/** One row per method, one column per corpus, rates given; per figure, the best method that reads no tags is bold. */
function methodTable(
  recorded: Recorded,
  methods: readonly string[],
  names: readonly FigureName[],
  further: readonly (readonly string[])[] = []
): string {
  const lines = methods
    .filter(method => recorded.corpora.some(({name}) => recorded.estimate(name, 'given', method, names[0])))
    .map(method => [
      `\`${method}\``,
      ...recorded.corpora.map(({name}) => cell(recorded, {corpus: name, method}, names, isBest)),
      names.map(name => overall(recorded, method, name)).join(' / ')
    ])
  return markdown(['', ...recorded.corpora.map(({name}) => name), 'mean'], [...lines, ...further])

  /** Results from fewer splits are not compared: splits differ more than methods. */
  function isBest({corpus, method}: Place, figure: FigureName, value: Estimate): boolean {
    const {sign} = figures[figure]
    const splits = (other: string) => recorded.seeds(corpus, 'given', other, figure).size
    const rivals = blind.filter(other => splits(other) === splits('robust'))
    const means = rivals.map(other => recorded.estimate(corpus, 'given', other, figure)?.mean ?? Number.NaN)
    return rivals.includes(method) && !means.some(mean => sign * mean > sign * value.mean)
  }
}

/** The mean over the corpora; a dash where one is missing. */
function overall(recorded: Recorded, method: string, figure: FigureName): string {
  const means = recorded.corpora.map(({name}) => recorded.estimate(name, 'given', method, figure)?.mean ?? Number.NaN)
  return means.some(Number.isNaN) ? '-' : shown({mean: average(means), error: undefined}, figures[figure].digits)
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
  isBest: (place: Place, figure: FigureName, value: Estimate) => boolean = () => false
): string {
  const parts = names.map(name => {
    const value = recorded.estimate(corpus, setting, method, name)
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
        figure => recorded.estimate(name, 'given', method, figure)?.mean ?? Number.NaN
      )
      return `${seconds.toFixed(1)} / ${Number(speed.toPrecision(2)).toLocaleString('en')}`
    })
  const lines = timedMethods.map(method => [`\`${method}\``, ...cells(method)])
  return markdown(['', ...recorded.corpora.map(({name}) => name)], lines)
}

function goals({corpora}: Recorded, which: 'aim' | 'recipe'): string[] {
  const title = which === 'aim' ? '*target*' : '*first prototype*'
  return [
    title,
    ...corpora.map(corpus => corpus[which]?.map(mean => shown({mean, error: undefined})).join(' / ') ?? '-'),
    '-'
  ]
}

function settingsTable(recorded: Recorded): string {
  const lines = inEverySetting.flatMap(method =>
    settings.map(setting => [
      `\`${method}\``,
      setting,
      ...recorded.corpora.map(({name}) => cell(recorded, {corpus: name, method, setting}, PAIR))
    ])
  )
  return markdown(['', 'rates', ...recorded.corpora.map(({name}) => name)], lines)
}

function worthTable(recorded: Recorded): string {
  const lines = settings.map(setting => [
    setting,
    ...recorded.corpora.map(({name}) => worthText(recorded, name, setting))
  ])
  return markdown(['rates', ...recorded.corpora.map(({name}) => name)], lines)
}

/** The loss of `robust` from worse rates, split by split. */
function lossTable(recorded: Recorded): string {
  const difference = (corpus: string, setting: Setting, figure: FigureName) => {
    const given = recorded.seeds(corpus, 'given', 'robust', figure)
    const other = recorded.seeds(corpus, setting, 'robust', figure)
    return shown(estimate([...other].map(([seed, value]) => value - (given.get(seed) ?? Number.NaN))))
  }
  const lines = (['labels', 'free'] as const).map(setting => [
    setting,
    ...recorded.corpora.map(({name}) => PAIR.map(figure => difference(name, setting, figure)).join(' / '))
  ])
  return markdown(['rates', ...recorded.corpora.map(({name}) => name)], lines)
}

/** What P(y) of `robust`, a network of pairs, gains in log P(tags) over each other P(y) learned without tags, split by split. */
function likelihoodMargins(recorded: Recorded): string {
  const lines = Object.entries(LIKELIHOOD_RIVALS).map(([method, name]) => [
    name,
    ...recorded.corpora.map(({name: corpus}) => {
      const own = recorded.seeds(corpus, 'given', 'robust', 'logLikelihood')
      const beside = recorded.seeds(corpus, 'given', method, 'logLikelihood')
      const gains = [...beside].map(([seed, value]) => (own.get(seed) ?? Number.NaN) - value)
      return gains.length === 0 ? '-' : signedText(estimate(gains), figures.logLikelihood.digits)
    })
  ])
  return markdown(['over', ...recorded.corpora.map(({name}) => name)], lines)
}

const LIKELIHOOD_RIVALS = {
  prior: 'no edges (`prior`)',
  'anchors-network': 'at most one parent (`anchors-network`)',
  imputation: 'a tree from one draw of the tags (`imputation`)',
  paper: 'the tree of the paper (`paper`)'
}

/** With its sign; losses are bold. */
function signedText(value: Estimate, digits?: number): string {
  const text = `${value.mean < 0 ? '' : '+'}${shown(value, digits)}`
  return value.mean < 0 ? `**${text}**` : text
}

/** `robust` minus the best of the others, split by split, which cancels the difficulty of a split. */
function marginTable(recorded: Recorded): string {
  const lines = settings.flatMap(setting =>
    recorded.corpora
      .filter(({name}) => recorded.estimate(name, setting, 'robust', 'lastTag'))
      .map(({name}) => [setting, name, ...PAIR.map(figure => margin(recorded, name, setting, figure))])
  )
  return markdown(['rates', '', 'last tag', 'average precision'], lines)
}

function margin(recorded: Recorded, corpus: string, setting: Setting, figure: FigureName): string {
  const own = recorded.seeds(corpus, setting, 'robust', figure)
  const margins = methodGroups.others.flatMap(method => {
    const beside = recorded.seeds(corpus, setting, method, figure)
    const differences = [...beside].map(([seed, value]) => (own.get(seed) ?? Number.NaN) - value)
    return differences.length === 0 ? [] : [{method, ...estimate(differences)}]
  })
  const {method, mean, error} = margins.reduce((least, one) => (one.mean < least.mean ? one : least))
  return `${signedText({mean, error})} over \`${method}\``
}
