import type {Command} from 'commander'
import {counted, grouped, percent, printableLine} from '../../base/text/index.ts'
import type {NoiseMethod, RateInterval} from '../../learn/noise/index.ts'
import {fitChoices} from '../../learn/options.ts'
import {type Counts, labelledDocuments} from '../../read/counts/index.ts'
import {
  type AnchorFacts,
  type Diagnosis,
  examine,
  type Finding,
  fieldAdvice,
  type RemedyTool,
  type Severity,
  uncoveredText
} from '../../use/advice/index.ts'
import {describeTables} from '../../use/report/index.ts'
import {addInputOptions, outputOf, withFlags} from './common-options.ts'
import {addCommand} from './declare.ts'
import {type Output, colours as paint} from './output.ts'
import {type Input, type InputOptions, readInput, sampleDocuments} from './read-input.ts'
import {textTable} from './text.ts'

export interface DoctorOptions extends InputOptions {
  readonly noise?: NoiseMethod
}

export function addDoctorCommand(program: Command): void {
  const command = addCommand(program, {noise: fitChoices.noise})`
doctor: check each anchor and explain its problems
Check every anchor: how often it fires, how much it overlaps with others, and whether it indicates only its concept.
  <input...>        document files, or one counts file
  --noise <method>  where the rates to check come from, as for adfa fit (default: the anchors file, and labels if there are any)

A fault: adfa fit refuses the concept. A warning: the concept is used, and may spoil the model. Notes are informational. The exit
code is 0 whatever is found. Anchors that are shared by two concepts or never fire are left out of the other checks.

Examples:
  adfa doctor notes.jsonl --anchors anchors.json
  adfa doctor notes.jsonl --anchors anchors.json --labels labels.jsonl   # labels also reveal swapped anchors
  adfa doctor questions.jsonl.gz --anchors-from-tags title --min-tags 2
  adfa doctor notes.counts --json`
  addInputOptions(command).action(async (paths: string[], options: DoctorOptions, command: Command) => {
    const output = outputOf(options, command)
    const labelShare = options.labelShare ?? (options.noise === 'labels' ? 1 : 0)
    const reading: InputOptions = {...options, labelShare, skipBadAnchors: true, draws: true}
    const input = await readInput({paths, options: reading, command, output})
    noteTables(input.counts, output)
    noteMembers(input, output)
    const diagnosis = await examineInput(input, options, output)
    output.json(diagnosis)
    output.print(withFlags(describeDiagnosis(diagnosis), command), painted)
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

export async function examineInput(input: Input, {noise, seed}: DoctorOptions, output: Output): Promise<Diagnosis> {
  output.progress('examining anchors')
  return (
    await examine(input.counts, {
      noise,
      seed,
      rows: input.documents?.sample,
      sample: () => sampleDocuments(input),
      onProgress: (done, concepts) => output.progress('scoring documents: concepts', done / concepts)
    })
  ).diagnosis
}

const COLUMNS = 100
const SEVERITIES: readonly Severity[] = ['fault', 'warning', 'note']
const COLOURS: Readonly<Record<string, (text: string) => string>> = {
  fault: paint.red,
  warning: paint.yellow,
  note: paint.dim
}

/** The diagnosis in colours: summary and concepts bold, each severity in its own. */
function painted(text: string): string {
  return text
    .replace(/^.+/, paint.bold)
    .replace(/^\S.*(?=\n {2}(?:fault|warning|note): )/gm, paint.bold)
    .replace(/^( {2})(fault|warning|note)(?=: )/gm, (_, indent, severity) => `${indent}${COLOURS[severity](severity)}`)
    .replace(/^( {4})->/gm, `$1${paint.dim('->')}`)
}

/** A summary, the findings of each concept, worst first, and a table of all anchors. */
function describeDiagnosis(diagnosis: Diagnosis): string {
  const groups = groupByConcept(diagnosis.findings)
  const hint = diagnosis.labelledCount === 0 ? [NO_LABELS] : []
  const uncovered = diagnosis.uncovered.map(group => wrap(uncoveredText(group), '', 0))
  const parts = [
    ...groups.map(describeGroup),
    ...uncovered,
    factsTable(diagnosis),
    ...describeFields(diagnosis),
    ...hint
  ]
  return [summary(diagnosis, groups), ...parts].join('\n\n')
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

const COMMANDS: Readonly<Record<RemedyTool, string>> = {
  suggestions: 'adfa suggest',
  forms: 'adfa suggest --apply',
  labels: 'adfa label',
  negation: '--negation'
}

/** The remedy with the command or the option that it needs. */
export function remedyText({remedy, tool}: Finding): string {
  return tool === undefined ? remedy : `${remedy} (${COMMANDS[tool]})`
}

/** Breaks lines at spaces; the first starts at column `taken`, the others after `indent`. */
export function wrap(text: string, indent: string, taken: number): string {
  let column = taken
  return printableLine(text)
    .split(' ')
    .map((word, at) => {
      const breaks = at > 0 && column + 1 + word.length > COLUMNS
      column = breaks ? indent.length + word.length : column + (at > 0 ? 1 : 0) + word.length
      return at === 0 ? word : breaks ? `\n${indent}${word}` : ` ${word}`
    })
    .join('')
}

function factsTable({anchors, findings}: Diagnosis): string {
  const hasRates = anchors.some(({rates}) => rates !== undefined)
  const hasNegated = anchors.some(({negated}) => negated !== undefined)
  const header = ['concept', 'documents', 'share', 'members', ...(hasNegated ? ['negated'] : []), 'most often with']
  const rateHeader = ['prevalence', 'precision', 'fires if present']
  const rows = anchors.map(facts => [
    facts.concept,
    grouped(facts.documents),
    percent(facts.share),
    String(facts.members.length),
    ...(hasNegated ? [negatedShare(facts)] : []),
    overlap(facts),
    ...(hasRates ? [interval(facts.rates?.prevalence), interval(facts.rates?.precision), hitRate(facts)] : []),
    verdict(findings.filter(({concept}) => concept === facts.concept))
  ])
  return textTable([[...header, ...(hasRates ? rateHeader : []), 'findings'], ...rows])
}

/** How precise the members in each text field are by themselves, where there are several. */
function describeFields({fields}: Diagnosis): string[] {
  if (fields.length < 2) return []
  const rows = fields.map(({field, concepts, alone}) => [
    field,
    String(concepts),
    grouped(alone.documents),
    interval(alone.precision)
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

function interval(rate: RateInterval | undefined): string {
  if (rate === undefined) return '-'
  const isExact = rate.low === rate.high
  return isExact ? percent(rate.value) : `${percent(rate.value)} (${percent(rate.low)} to ${percent(rate.high)})`
}

function hitRate({rates}: AnchorFacts): string {
  return rates === undefined ? '-' : percent(rates.truePositive)
}

function verdict(findings: readonly Finding[]): string {
  const parts = SEVERITIES.flatMap(severity => {
    const count = findings.filter(finding => finding.severity === severity).length
    return count === 0 ? [] : [counted(count, severity)]
  })
  return parts.length === 0 ? '.' : parts.join(', ')
}
