import type {Command} from 'commander'
import {clamp} from '../../../base/numeric/index.ts'
import {
  type NoiseMethod,
  noiseEstimators,
  noiseTable,
  type RateInterval,
  scoreAnchors
} from '../../../learn/noise/index.ts'
import {fitChoices} from '../../../learn/options.ts'
import {sourceReliability} from '../../../learn/votes/index.ts'
import type {Counts} from '../../../read/counts/index.ts'
import {type Anchor, anchorsToJson, type Corpus} from '../../../read/data/index.ts'
import {writeAtomically} from '../../../read/files/index.ts'
import type {Examination} from '../../../use/advice/index.ts'
import {describeTables} from '../../../use/facts/index.ts'
import {examineAnchors} from '../../pipeline/index.ts'
import {
  blocksText,
  describeFinding,
  doctorBlocks,
  type JudgedRates,
  measuredRates,
  ratesBlock,
  sourceBlocks
} from '../../present/index.ts'
import {inputOptions, outputOf, withFlags} from '../common-options.ts'
import {addCommand} from '../declare.ts'
import {remedyCommands} from '../findings.ts'
import {fitReading, learnControl, taskOf} from '../learning.ts'
import type {Output} from '../output.ts'
import {type InputOptions, readInput} from '../read-input.ts'

interface DoctorOptions extends InputOptions {
  readonly noise?: NoiseMethod
  readonly output?: string
}

export function addDoctorCommand(program: Command): void {
  addCommand(program, {noise: fitChoices.noise}, inputOptions)`
doctor: check each anchor, and estimate its rates
Check every anchor: how often it fires, how much it overlaps with others, and whether it indicates only its concept. Then a table of the rates: the prevalence
of each concept and the precision of its anchor, by every estimator that applies.
  <input...>           document files, or one counts file (without the estimators that need documents)
  --noise <method>     where the rates to check come from, as for adfa fit (default: the anchors file, and labels if there are any)
  -o, --output <file>  also write the anchors with their rates, where measured, for use with --anchors

A fault: adfa fit refuses the concept. A warning: the concept is used, and may spoil the model. Notes are informational. The exit
code is 0 whatever is found. Anchors that are shared by two concepts or never fire are left out of the other checks.

Prevalence is the share of documents with the concept; precision, the share of documents with the concept among those where
its anchor fires. Intervals are 90%. Estimators of the prevalence and what they rely on:
  given          the anchors file
  pooled         labelled documents, pooled over concepts
  labels         labelled documents, each concept by itself, so thousands of them
  pair           two or more members of an anchor that fire independently given the concept
  irreducible    words that prove the concept
  positive-only  an anchor that never fires falsely and words that determine the concept (Elkan and Noto)
Only the first three are measurements; without them prevalence and precision are unknown, and adfa fit --noise auto ranks documents by a guess.

Documents with votes also get a table of their sources, worst first: accuracy (the share of votes that are right, by labels where there are
any, else an estimate), how many documents they vote in, and their most frequent error. Krippendorff's alpha is their agreement: 1 all, 0 by chance.
--json has what holds for each vote.

Examples:
  adfa doctor notes.jsonl --anchors anchors.json
  adfa doctor notes.jsonl --anchors anchors.json --labels labels.jsonl   # labels also reveal swapped anchors
  adfa doctor questions.jsonl.gz --anchors-from-tags title --min-tags 2
  adfa doctor notes.jsonl --anchors anchors.json --labels labels.jsonl -o rated-anchors.json
  adfa doctor rated.csv --votes nurse,doctor,llm --labels labels.jsonl
  adfa doctor notes.counts --json`.action(runDoctor)
}

async function runDoctor(paths: string[], options: DoctorOptions, command: Command): Promise<void> {
  const output = outputOf(options, command)
  const {noise, seed} = options
  const reading: InputOptions = {...fitReading(options), skipBadAnchors: true}
  const input = await readInput({paths, options: reading, command, output})
  const {counts} = input
  noteTables(counts, output)
  const task = taskOf(input, {seed, ...(noise && {noise})})
  const examination = await examineAnchors(task, learnControl(output))
  const {diagnosis} = examination
  const sample = task.sample && {lexicon: counts.lexicon, documents: task.sample}
  const judged = judgeRates(counts, examination, sample, seed, output)
  const groups = sourceReliability(counts, judged.map(prevalenceOf), sample)
  const findings = diagnosis.findings.map(describeFinding)
  output.json({
    ...diagnosis,
    findings,
    documents: diagnosis.documentCount,
    concepts: judged.map(rateJson),
    ...(groups.length > 0 && {
      groups: groups.map(({sources: _, ...group}) => group),
      sources: groups.flatMap(({sources}, group) => sources.map(source => ({...source, group})))
    })
  })
  const blocks = [...doctorBlocks(diagnosis, remedyCommands), ratesBlock(judged), ...sourceBlocks(groups)]
  output.print(withFlags(blocksText(blocks, COLUMNS), command))
  if (options.output === undefined) return
  await writeAtomically(options.output, `${JSON.stringify(ratedAnchors(counts, judged), null, 2)}\n`)
  output.print(`\nwrote ${options.output}`)
}

const COLUMNS = 100

/** Notes the checks that released tables do not allow. */
function noteTables({tables}: Counts, output: Output): void {
  if (tables === undefined) return
  const another = 'whether an anchor also fires for another concept shows only in tables of --max-order 3'
  output.note(
    `these are ${describeTables(tables)}; the members of one anchor are not distinguished${tables.maxOrder < 3 ? `, and ${another}` : ''}`
  )
}

/** The rates of each anchor by every estimator that applies, and those in force or why the anchor is refused. */
type Judged = JudgedRates & {readonly refused: string | undefined}

function judgeRates(
  counts: Counts,
  {verdict, scores}: Examination,
  sample: Corpus | undefined,
  seed: number,
  output: Output
): Judged[] {
  const onProgress = (done: number, concepts: number) => output.progress('scoring documents: concepts', done / concepts)
  const known = scores ?? (sample && scoreAnchors(sample, {seed}, {onProgress}))
  output.progress('estimating rates')
  // A guess predicts, and is not for people.
  const shown = noiseEstimators.filter(method => method !== 'guess')
  return noiseTable(counts, {scores: known}, shown).map(row => ({
    ...row,
    used: verdict.rates.find(({concept}) => concept === row.concept),
    refused: verdict.refused.find(({concept}) => concept === row.concept)?.reason
  }))
}

/** P(Y) that the rates imply; of a refused concept, that of its first estimate. */
function prevalenceOf({firing, used, estimates}: Judged): number {
  if (used === undefined) return estimates[0]?.prevalence.value ?? firing
  const {truePositive: t, falsePositive: e} = used
  return clamp((firing - e) / (t - e), 0, 1)
}

function rateJson({used, estimates, ...own}: Judged): object {
  return {
    ...own,
    estimates: estimates.map(each => withInterval(each)),
    used: used && used.basis !== 'constant' ? withInterval(used) : undefined
  }
}

/** A value without an interval has no ends. */
function withInterval<T extends {prevalence: RateInterval; precision: RateInterval | undefined}>(own: T) {
  const shown = (rate: RateInterval | undefined) => (rate && rate.low === rate.high ? {value: rate.value} : rate)
  return {...own, prevalence: shown(own.prevalence), precision: shown(own.precision)}
}

/** Every counted anchor with its rates, if they were measured. */
function ratedAnchors({lexicon}: Counts, judged: readonly Judged[]): Record<string, unknown> {
  const anchors = lexicon.anchors.map((anchor): Anchor => {
    const used = measuredRates(judged.find(({concept}) => concept === anchor.concept)?.used)
    if (used === undefined || anchor.rates !== undefined) return anchor
    const {truePositive, falsePositive} = used
    return {...anchor, rates: {kind: 'rates', truePositive, falsePositive}}
  })
  return anchorsToJson(anchors)
}
