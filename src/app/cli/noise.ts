import type {Command} from 'commander'
import {clamp} from '../../base/numeric/index.ts'
import {counted, grouped, nameList, percent, printableLine} from '../../base/text/index.ts'
import {
  type AnchorEstimates,
  isMeasured,
  judgeNoise,
  type NoiseEstimator,
  type NoiseVerdict,
  noiseEstimators,
  noiseTable,
  type RateInterval,
  type SourcedRates
} from '../../learn/noise/index.ts'
import {type Accuracy, type SourceGroup, type SourceReliability, sourceReliability} from '../../learn/votes/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import {anchorsToJson} from '../../read/data/index.ts'
import {writeAtomically} from '../../read/files/index.ts'
import {addInputOptions, outputOf} from './common-options.ts'
import {addCommand} from './declare.ts'
import {type InputOptions, readInput, sampleDocuments, scoreDocuments} from './read-input.ts'
import {textTable} from './text.ts'

interface NoiseOptions extends InputOptions {
  readonly output?: string
}

export function addNoiseCommand(program: Command): void {
  const command = addCommand(program, {})`
noise: estimate the rates of each anchor
Estimate the prevalence of each concept and the precision of its anchor, with intervals, by every estimator that applies.
  <input...>           document files, or one counts file (without the estimators that need documents)
  -o, --output <file>  also write the anchors with these rates, where measured, for use with --anchors

Prevalence is the share of documents with the concept; precision, the share of documents with the concept among those where
its anchor fires. Intervals are 90%; estimators without labels have none that can be relied on. Estimators and what they rely on:
  given          the anchors file
  pooled         labelled documents, pooled over concepts
  labels         labelled documents, each concept by itself, so thousands of them
  pair           two or more members of an anchor that fire independently given the concept
  irreducible    words that prove the concept
  positive-only  an anchor that never fires falsely and words that determine the concept (Elkan and Noto)
Only the first three are measurements; without them prevalence and precision are unknown, and adfa fit --noise auto ranks documents by a guess.

Documents with votes also get a table of their sources, worst first: accuracy (the share of votes that are right, by labels where there are
any, else an estimate), how many documents they vote in, and their most frequent error; intervals are 90%. Krippendorff's alpha is their agreement: 1 all, 0 by chance.
--json has what holds for each vote.

Examples:
  adfa noise notes.jsonl --anchors anchors.json
  adfa noise notes.jsonl --anchors anchors.json --labels labels.jsonl -o rated-anchors.json
  adfa noise questions.jsonl.gz --anchors-from-tags title --label-share 0.01 --json
  adfa noise rated.csv --votes nurse,doctor,llm --labels labels.jsonl`
  addInputOptions(command).action(async (paths: string[], options: NoiseOptions, command: Command) => {
    const output = outputOf(options, command)
    const reading = {...options, skipBadAnchors: true as const, draws: true}
    const input = await readInput({paths, options: reading, command, output})
    const sample = sampleDocuments(input)
    const scores = scoreDocuments(sample, options.seed, output)
    const evidence = {scores}
    output.progress('estimating rates')
    // A guess predicts, and is not for people.
    const shown = noiseEstimators.filter(method => method !== 'guess')
    const table = noiseTable(input.counts, evidence, shown)
    const judged = judgements(table, judgeNoise(input.counts, 'auto', evidence))
    const groups = sourceReliability(input.counts, judged.map(prevalenceOf), sample)
    output.json({
      documents: input.counts.documentCount,
      concepts: judged.map(({used, estimates, ...own}) => ({
        ...own,
        estimates: estimates.map(each => withInterval(each)),
        used: used && used.basis !== 'constant' ? withInterval(used) : undefined
      })),
      ...(groups.length > 0 && {
        groups: groups.map(({sources: _, ...group}) => group),
        sources: groups.flatMap(({sources}, group) => sources.map(source => ({...source, group})))
      })
    })
    for (const line of [...describe(judged), ...groups.flatMap(describeSources), ...sourceNotes(groups)])
      output.print(line)
    if (options.output === undefined) return
    await writeAtomically(options.output, `${JSON.stringify(ratedAnchors(input.counts, judged), null, 2)}\n`)
    output.print(`\nwrote ${options.output}`)
  })
}

interface Judgement extends AnchorEstimates {
  /** What `fit --noise auto` has. */
  readonly used: SourcedRates | undefined
  readonly refused: string | undefined
}

function judgements(table: readonly AnchorEstimates[], {rates, refused}: NoiseVerdict): Judgement[] {
  return table.map(row => {
    const used = rates.find(({concept}) => concept === row.concept)
    return {
      ...row,
      used,
      refused: refused.find(({concept}) => concept === row.concept)?.reason
    }
  })
}

/** P(Y) that the rates imply; of a refused concept, that of its first estimate. */
function prevalenceOf({firing, used, estimates}: Judgement): number {
  if (used === undefined) return estimates[0]?.prevalence.value ?? firing
  const {truePositive: t, falsePositive: e} = used
  return clamp((firing - e) / (t - e), 0, 1)
}

function describe(judged: readonly Judgement[]): string[] {
  const found = new Set(judged.flatMap(({estimates}) => estimates.map(({method}) => method)))
  const methods = noiseEstimators.filter(method => found.has(method))
  const rows = judged.map(({concept, firing, used, estimates}) => [
    concept,
    percent(firing),
    interval(measured(used)?.prevalence),
    interval(measured(used)?.precision),
    basisText(used),
    ...methods.map(method => {
      const found = estimates.find(estimate => estimate.method === method)?.prevalence
      return isReliable(method) ? interval(found) : found === undefined ? '-' : percent(found.value)
    })
  ])
  const header = ['concept', 'anchor in', 'prevalence', 'precision', 'by', ...methods.map(name => `${name}`)]
  const unknown = judged.filter(({used}) => used !== undefined && measured(used) === undefined)
  return [
    textTable([header, ...rows]),
    ...judged.flatMap(({concept, refused}) =>
      refused === undefined ? [] : [`refused: concept "${concept}": ${printableLine(refused)}`]
    ),
    ...(unknown.length > 0
      ? [
          `${grouped(unknown.length)} of ${counted(judged.length, 'anchor')} ${unknown.length === 1 ? 'has' : 'have'} no labels and no given rates: prevalence and precision are unknown. To measure them, label 30 to 100 documents with adfa label and give --labels`
        ]
      : [])
  ]
}

function measured(used: SourcedRates | undefined): SourcedRates | undefined {
  return used !== undefined && isMeasured(used.basis) ? used : undefined
}

/** A value without an interval has no ends. */
function withInterval<T extends {prevalence: RateInterval; precision: RateInterval | undefined}>(own: T) {
  const shown = (rate: RateInterval | undefined) => (rate && rate.low === rate.high ? {value: rate.value} : rate)
  return {...own, prevalence: shown(own.prevalence), precision: shown(own.precision)}
}

function basisText(used: SourcedRates | undefined): string {
  if (used === undefined) return 'refused'
  if (used.basis === 'balance') return 'balance of classes'
  return used.basis === 'constant' ? 'not measured' : used.sources.join(' + ')
}

function describeSources({classes, alpha, sources}: SourceGroup): string[] {
  const overall = alpha === undefined ? '' : `; Krippendorff's alpha ${alpha.toFixed(2)}`
  return [`\nSources of votes for ${nameList(classes, 6)}, worst first${overall}`, sourceTable(sources)]
}

const WIDEST = 100
/** Names of sources and classes are cut at the first of these lengths by which the table is narrow enough. */
const NAME_LENGTHS = [40, 24, 16, 12, 9, 7]

function sourceTable(sources: readonly SourceReliability[]): string {
  const tables = NAME_LENGTHS.map(most => {
    const rows = sources.map(({source, accuracy, basis, votes, coverage, mostWrong}) => [
      cut(source, most),
      accuracyText(accuracy),
      basis,
      grouped(votes),
      percent(coverage),
      mostWrong === undefined
        ? ''
        : `${cut(mostWrong.vote, most)} for ${cut(mostWrong.truth, most)} (${percent(mostWrong.share)})`
    ])
    const head = ['source', 'accuracy', 'by', 'votes', 'covers', 'most often wrong']
    const hasErrors = rows.some(row => row.at(-1) !== '')
    return textTable([head, ...rows].map(row => (hasErrors ? row : row.slice(0, -1))))
  })
  return tables.find(table => table.split('\n').every(({length}) => length <= WIDEST)) ?? tables[tables.length - 1]
}

/** What the tables mean, once for all groups. */
function sourceNotes(groups: readonly SourceGroup[]): string[] {
  const sources = groups.flatMap(group => group.sources)
  const without = sources.filter(({basis}) => basis === 'estimate').length
  const isPlural = without !== 1
  const notes: [boolean, string][] = [
    [
      sources.some(({mostWrong}) => mostWrong !== undefined),
      '"a for b (5%)": in 5% of its votes it votes for a where b holds'
    ],
    [
      without > 0,
      `${grouped(without)} of ${counted(sources.length, 'source')} ${isPlural ? 'have' : 'has'} no labels: accuracy is an estimate, from agreement with the other sources and a usual 80%. To measure it, label 50 to 100 documents with adfa label`
    ],
    [
      sources.some(({accuracy}) => accuracy.low === undefined),
      '(not measured): there is no interval, as no vote is against the concept: votes for it alone say little about accuracy'
    ]
  ]
  return notes.flatMap(([applies, note]) => (applies ? [note] : []))
}

function accuracyText({value, low, high}: Accuracy): string {
  if (low === undefined || high === undefined) return `${percent(value)} (not measured)`
  return `${percent(value)} (${Math.round(100 * low)}-${Math.round(100 * high)})`
}

function cut(text: string, most: number): string {
  const characters = [...printableLine(text)]
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most - 1).join('')}…`
}

/** On real text the intervals of the others hold the truth too seldom to be shown: in 6% to 52% of the cases. */
function isReliable(method: NoiseEstimator): boolean {
  return method === 'given' || method === 'labels' || method === 'pooled'
}

function interval(rate: RateInterval | undefined): string {
  if (rate === undefined) return '-'
  return rate.low === rate.high ? percent(rate.value) : `${percent(rate.value)} (${bare(rate.low)}-${bare(rate.high)})`
}

function bare(share: number): string {
  return percent(share).slice(0, -1)
}

/** Every counted anchor with its rates, if they were measured. */
function ratedAnchors({lexicon}: Counts, judged: readonly Judgement[]): Record<string, unknown> {
  const known = new Map(judged.map(({concept, used}) => [concept, measured(used)]))
  return anchorsToJson(
    lexicon.anchors.map(anchor => {
      const used = known.get(anchor.concept)
      if (used === undefined || anchor.rates !== undefined) return anchor
      const {truePositive, falsePositive} = used
      return {...anchor, rates: {kind: 'rates', truePositive, falsePositive}}
    })
  )
}
