import type {Command} from 'commander'
import {counted, grouped, percent, printableLine} from '../../base/text/index.ts'
import {
  type AnchorEstimates,
  type NoiseEstimator,
  noiseEstimators,
  noiseTable,
  type RateInterval,
  type SourcedRates,
  usableNoise
} from '../../learn/noise/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import {anchorsToJson} from '../../read/data/index.ts'
import {writeAtomically} from '../../read/files/index.ts'
import {addInputOptions, atLeast0, outputOf} from './common-options.ts'
import {type InputOptions, readInput, sampleDocuments, scoreDocuments} from './read-input.ts'
import {textTable} from './text.ts'

interface NoiseOptions extends InputOptions {
  readonly output?: string
  readonly conceptsPerDocument?: number
}

export function addNoiseCommand(program: Command): void {
  const command = program
    .command('noise')
    .summary('estimate the rates of each anchor')
    .description(
      'Estimate the prevalence of each concept and the precision of its anchor, with intervals, by every estimator that applies.'
    )
    .argument('<input...>', 'document files, or one counts file (without the estimators that need documents)')
    .option('-o, --output <file>', 'also write the anchors with these rates, except constants, for use with --anchors')
    .option('--concepts-per-document <n>', 'mean number of concepts per document; scales guessed rates', atLeast0)
  addInputOptions(command)
    .addHelpText(
      'after',
      `
Prevalence is the share of documents with the concept; precision, the share of documents with the concept among those where
its anchor fires. Intervals are 90%; estimators without labels have none that can be relied on. Estimators and what they rely on:
  given          the anchors file
  refined        labelled documents, pooled over concepts, and the words of all documents
  pooled         labelled documents, pooled over concepts
  pair           two or more members of an anchor that fire independently given the concept
  irreducible    words that prove the concept
  positive-only  an anchor that never fires falsely and words that determine the concept (Elkan and Noto)
  guess          assumptions only; for a first look
Only the first three are reliable; without them people read a constant, and adfa fit --noise auto predicts with the others.

Examples:
  adfa noise notes.jsonl --anchors anchors.json
  adfa noise notes.jsonl --anchors anchors.json --labels labels.jsonl -o rated-anchors.json
  adfa noise questions.jsonl.gz --anchors-from-tags title --label-share 0.01 --json`
    )
    .action(async (paths: string[], options: NoiseOptions, command: Command) => {
      const output = outputOf(options, command)
      const reading = {...options, skipBadAnchors: true as const, draws: true}
      const input = await readInput({paths, options: reading, command, output})
      const sample = sampleDocuments(input, options.seed)
      const scores = scoreDocuments(sample, options.seed, output)
      const evidence = {scores, conceptsPerDocument: options.conceptsPerDocument}
      output.progress('estimating rates')
      const table = noiseTable(input.counts, evidence)
      const judged = judgements(table, usableNoise(input.counts, 'auto', evidence))
      output.json({documents: input.counts.documentCount, concepts: judged})
      for (const line of describe(judged)) output.print(line)
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

function judgements(table: readonly AnchorEstimates[], {counts, noise}: ReturnType<typeof usableNoise>): Judgement[] {
  return table.map(row => ({
    ...row,
    used: noise.certificate.concepts.find(({concept}) => concept === row.concept),
    refused: counts.lexicon.skipped.find(({concept}) => concept === row.concept)?.reason
  }))
}

function describe(judged: readonly Judgement[]): string[] {
  const found = new Set(judged.flatMap(({estimates}) => estimates.map(({method}) => method)))
  const methods = noiseEstimators.filter(method => found.has(method))
  const rows = judged.map(({concept, firing, used, estimates}) => [
    concept,
    percent(firing),
    interval(used?.prevalence),
    interval(used?.precision),
    used === undefined ? 'refused' : used.basis === 'constant' ? 'not measured' : used.sources.join(' + '),
    ...methods.map(method => {
      const found = estimates.find(estimate => estimate.method === method)?.prevalence
      return isReliable(method) ? interval(found) : found === undefined ? '-' : percent(found.value)
    })
  ])
  const header = ['concept', 'anchor in', 'prevalence', 'precision', 'by', ...methods.map(name => `${name}`)]
  const constant = judged.filter(({used}) => used?.basis === 'constant')
  const apart = judged.filter(({used}) => used !== undefined && used.disagreement > 2)
  return [
    textTable([header, ...rows]),
    ...judged.flatMap(({concept, refused}) =>
      refused === undefined ? [] : [`refused: concept "${concept}": ${printableLine(refused)}`]
    ),
    ...apart.map(
      ({concept, used}) =>
        `the estimates for "${concept}" disagree (${used?.sources.join(', ')}): label documents, or run adfa doctor`
    ),
    ...(constant.length > 0
      ? [
          `${grouped(constant.length)} of ${counted(judged.length, 'anchor')} ${constant.length === 1 ? 'has' : 'have'} no labels and no given rates: prevalence and precision are not measured, but constants for anchors that fire as often; predictions use the estimates. To measure them, label 50 to 100 documents with adfa label`
        ]
      : [])
  ]
}

/** On real text the intervals of the others hold the truth too seldom to be shown: in 6% to 52% of the cases. */
function isReliable(method: NoiseEstimator): boolean {
  return method === 'given' || method === 'refined' || method === 'pooled'
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
  const known = new Map(judged.map(({concept, used}) => [concept, used?.basis === 'constant' ? undefined : used]))
  return anchorsToJson(
    lexicon.anchors.map(anchor => {
      const used = known.get(anchor.concept)
      if (used === undefined || anchor.rates !== undefined) return anchor
      const {truePositive, falsePositive} = used
      return {...anchor, rates: {kind: 'rates', truePositive, falsePositive}}
    })
  )
}
