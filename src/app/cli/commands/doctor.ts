import type {Command} from 'commander'
import {counted, grouped, percent} from '../../../base/text/index.ts'
import type {NoiseMethod} from '../../../learn/noise/index.ts'
import {fitChoices} from '../../../learn/options.ts'
import {type Counts, labelledDocuments} from '../../../read/counts/index.ts'
import {writeAtomically} from '../../../read/files/index.ts'
import {
  type AnchorFacts,
  type Diagnosis,
  type Finding,
  fieldAdvice,
  type Severity,
  uncoveredText
} from '../../../use/advice/index.ts'
import {describeTables} from '../../../use/facts/index.ts'
import {examineAnchors} from '../../pipeline/index.ts'
import {textTable} from '../../present/index.ts'
import {addInputOptions, outputOf, withFlags} from '../common-options.ts'
import {addCommand} from '../declare.ts'
import {remedyText, wrap} from '../findings.ts'
import {learnControl, taskOf} from '../learning.ts'
import type {Output} from '../output.ts'
import {estimateRates, ratedAnchors, ratesJson, ratesText} from '../rates.ts'
import {type Input, type InputOptions, readInput} from '../read-input.ts'
import {intervalText} from '../text.ts'

interface DoctorOptions extends InputOptions {
  readonly noise?: NoiseMethod
  readonly output?: string
}

export function addDoctorCommand(program: Command): void {
  const command = addCommand(program, {noise: fitChoices.noise})`
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
  adfa doctor notes.counts --json`
  addInputOptions(command).action(async (paths: string[], options: DoctorOptions, command: Command) => {
    const output = outputOf(options, command)
    const labelShare = options.labelShare ?? (options.noise === 'labels' ? 1 : 0)
    const reading: InputOptions = {...options, labelShare, skipBadAnchors: true, draws: true}
    const input = await readInput({paths, options: reading, command, output})
    noteTables(input.counts, output)
    noteMembers(input, output)
    const {noise, seed} = options
    const task = taskOf(input, {seed, ...(noise && {noise})})
    const examination = await examineAnchors(task, learnControl(output))
    const {diagnosis} = examination
    const rates = estimateRates(input, examination, options.seed, output)
    output.json({...diagnosis, documents: diagnosis.documentCount, ...ratesJson(rates)})
    output.print(
      withFlags([...describeDiagnosis(diagnosis), ratesText(rates), ...hint(diagnosis)].join('\n\n'), command)
    )
    if (options.output === undefined) return
    await writeAtomically(options.output, `${JSON.stringify(ratedAnchors(input.counts, rates), null, 2)}\n`)
    output.print(`\nwrote ${options.output}`)
  })
}

/** Notes the checks that released tables do not allow. */
function noteTables({tables}: Counts, output: Output): void {
  if (tables === undefined) return
  const another = 'whether an anchor also fires for another concept shows only in tables of --max-order 3'
  output.note(
    `these are ${describeTables(tables)}; the members of one anchor are not distinguished${tables.maxOrder < 3 ? `, and ${another}` : ''}`
  )
}

/** Counts have labels of anchors, not of their members. */
function noteMembers({counts, documents}: Input, output: Output): void {
  const hasSeveral = counts.lexicon.anchors.some(({any}) => any.length > 1)
  if (documents === undefined && counts.tables === undefined && hasSeveral && labelledDocuments(counts) > 0)
    output.note('which members of an anchor are weak shows only in labelled documents; give these, not counts')
}

const SEVERITIES: readonly Severity[] = ['fault', 'warning', 'note']
/** A summary, the findings of each concept, worst first, and a table of all anchors. */
function describeDiagnosis(diagnosis: Diagnosis): string[] {
  const groups = groupByConcept(diagnosis.findings)
  return [
    summary(diagnosis, groups),
    ...groups.map(describeGroup),
    ...diagnosis.uncovered.map(group => wrap(uncoveredText(group), '', 0)),
    factsTable(diagnosis),
    ...describeFields(diagnosis)
  ]
}

function hint({labelledCount}: Diagnosis): string[] {
  return labelledCount === 0 ? [NO_LABELS] : []
}

const NO_LABELS = `No labels were read; only labels reveal imprecise anchors and members, and anchors listed under the wrong concept. Label 50 to 100 documents
(adfa label) and give --labels FILE, or --label-share 1 to check against the tags of the documents. A fit without labels predicts
better if you give prevalences by experience, each with a precision, in the anchors file; 30 labels help more.`

type Group = readonly [concept: string, findings: readonly Finding[]]

/** Findings come worst first, and concepts in the order of their worst. */
function groupByConcept(findings: readonly Finding[]): Group[] {
  const groups = new Map<string, Finding[]>()
  for (const finding of findings) {
    const group = groups.get(finding.concept)
    if (group === undefined) groups.set(finding.concept, [finding])
    else group.push(finding)
  }
  return [...groups]
}

function summary({documentCount, anchors, findings}: Diagnosis, groups: readonly Group[]): string {
  const all = new Set([...anchors.map(({concept}) => concept), ...findings.map(({concept}) => concept)]).size
  const worst = SEVERITIES.map(severity => groups.filter(([, [first]]) => first.severity === severity).length)
  const parts = SEVERITIES.flatMap((severity, at) =>
    worst[at] === 0 ? [] : [severity === 'note' ? `${worst[at]} with notes only` : `${worst[at]} with ${severity}s`]
  )
  const rest = all - groups.length
  if (rest > 0) parts.push(rest === all ? 'no findings' : `${rest} without findings`)
  return `${counted(all, 'concept')} in ${counted(documentCount, 'document')}: ${parts.join(', ')}`
}

function describeGroup([concept, findings]: Group): string {
  return [
    concept,
    ...findings.flatMap(finding => [
      `  ${finding.severity}: ${wrap(finding.message, '    ', finding.severity.length + 4)}`,
      `    -> ${wrap(remedyText(finding), '       ', 7)}`
    ])
  ].join('\n')
}

function factsTable({anchors, findings}: Diagnosis): string {
  const hasNegated = anchors.some(({negated}) => negated !== undefined)
  const header = ['concept', 'documents', 'share', 'members', ...(hasNegated ? ['negated'] : []), 'most often with']
  const rows = anchors.map(facts => [
    facts.concept,
    grouped(facts.documents),
    percent(facts.share),
    String(facts.members.length),
    ...(hasNegated ? [negatedShare(facts)] : []),
    overlap(facts),
    verdict(findings.filter(({concept}) => concept === facts.concept))
  ])
  return textTable([[...header, 'findings'], ...rows])
}

/** How precise the members in each text field are by themselves, where there are several. */
function describeFields({fields}: Diagnosis): string[] {
  if (fields.length < 2) return []
  const rows = fields.map(({field, concepts, alone}) => [
    field,
    String(concepts),
    grouped(alone.documents),
    alone.precision === undefined ? '-' : intervalText(alone.precision)
  ])
  const table = textTable([['only members in', 'concepts', 'labelled documents', 'precision'], ...rows])
  const weak = fields.filter(({isWeak}) => isWeak).map(({field}) => wrap(fieldAdvice(field), '', 0))
  return [[table, ...weak].join('\n')]
}

function overlap({overlaps: [first]}: AnchorFacts): string {
  return first === undefined ? '-' : `${first.concept} ${percent(first.share)}`
}

function negatedShare({negated}: AnchorFacts): string {
  return negated === undefined ? '.' : `${grouped(negated.negated)} (${percent(negated.negated / negated.documents)})`
}

function verdict(findings: readonly Finding[]): string {
  const parts = SEVERITIES.flatMap(severity => {
    const count = findings.filter(finding => finding.severity === severity).length
    return count === 0 ? [] : [counted(count, severity)]
  })
  return parts.length === 0 ? '.' : parts.join(', ')
}
