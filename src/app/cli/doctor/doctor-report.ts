import pc from 'picocolors'
import type {RateInterval} from '../../../learn/noise/index.ts'
import type {AnchorFacts, Diagnosis, Finding, Severity} from '../../../use/advice/index.ts'
import {counted, percent, textTable} from '../text.ts'

const COLUMNS = 100
const SEVERITIES: readonly Severity[] = ['fault', 'warning', 'note']
/** In a file or a pipe colours are noise, whatever the environment says. */
const paint = pc.createColors(process.stdout.isTTY === true && pc.isColorSupported)
const COLOURS: Readonly<Record<Severity, (text: string) => string>> = {
  fault: paint.red,
  warning: paint.yellow,
  note: paint.dim
}

/** The findings for people: a summary, the findings of each concept, worst first, and a table of all anchors. */
export function describeDiagnosis(diagnosis: Diagnosis): string {
  const groups = groupByConcept(diagnosis.findings)
  const hint = diagnosis.labelledCount === 0 ? [NO_LABELS] : []
  return [summary(diagnosis, groups), ...groups.map(describeGroup), factsTable(diagnosis), ...hint].join('\n\n')
}

const NO_LABELS = `No labels were read, and only they show anchors that stand under the wrong concept: --labels FILE (adfa label
makes one), or --label-share 1 to check against the tags of the documents.`

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
  if (rest > 0) parts.push(rest === all ? 'nothing found against any' : `${rest} with nothing against them`)
  return paint.bold(`${counted(all, 'concept')} in ${counted(documentCount, 'document')}: ${parts.join(', ')}`)
}

function describeGroup([concept, findings]: Group): string {
  return [
    paint.bold(concept),
    ...findings.flatMap(({severity, message, remedy}) => [
      `  ${COLOURS[severity](severity)}: ${wrap(message, '    ', severity.length + 4)}`,
      `    ${paint.dim('->')} ${wrap(remedy, '       ', 7)}`
    ])
  ].join('\n')
}

/** Break lines at blanks; the first begins at column `taken`, the others after `indent`. */
function wrap(text: string, indent: string, taken: number): string {
  let column = taken
  return text
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
  const header = ['concept', 'documents', 'share', 'features', 'most often with']
  const rateHeader = ['prevalence', 'precision', 'fires if present']
  const rows = anchors.map(facts => [
    facts.concept,
    facts.documents.toLocaleString('en'),
    percent(facts.share),
    String(facts.members.length),
    overlap(facts),
    ...(hasRates ? [interval(facts.rates?.prevalence), interval(facts.rates?.precision), hitRate(facts)] : []),
    verdict(findings.filter(({concept}) => concept === facts.concept))
  ])
  return textTable([[...header, ...(hasRates ? rateHeader : []), 'findings'], ...rows])
}

function overlap({overlaps: [first]}: AnchorFacts): string {
  return first === undefined ? '-' : `${first.concept} ${percent(first.share)}`
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
