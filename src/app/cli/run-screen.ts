import {basename} from 'node:path'
import {counted, grouped, listed} from '../../base/text/index.ts'
import type {LearnedModel} from '../../learn/learn.ts'
import {isMeasured, type RateBasis, type RateInterval} from '../../learn/noise/index.ts'
import {type Diagnosis, type Finding, shareInterval} from '../../use/advice/index.ts'
import {ruleFacts, type TagRule, unmeasuredConcepts} from '../../use/prediction/index.ts'
import type {TagCounts} from '../pipeline/index.ts'
import {
  blocksText,
  describeFinding,
  findingText,
  intervalText,
  plainText,
  remedyText,
  ruleText,
  say,
  textTable
} from '../present/index.ts'
import {remedyCommands} from './findings.ts'
import {typicalWords} from './text.ts'

export interface RunResult {
  readonly paths: readonly string[]
  readonly model: LearnedModel
  readonly diagnosis: Diagnosis
  readonly files: {readonly model: string; readonly report: string; readonly tagged: string}
  readonly tags: TagCounts
  readonly rule: TagRule
  /** The labels file, if it was used. */
  readonly labels: string | undefined
}

export function runResult({model, diagnosis, files, tags, rule}: RunResult): object {
  const {model: file, report, tagged: table} = files
  return {
    documents: model.options.documents,
    words: model.lexicon.words.length,
    concepts: ratesOf(model).map(({name, prevalence, basis}, i) => ({
      name,
      basis,
      // Absent where nobody measured it.
      ...(prevalence && {prevalence}),
      anchored: tags.anchored[i],
      tagged: tags.tagged[i],
      taggedWithoutAnchor: tags.withoutAnchor[i],
      likelyWithoutAnchor: tags.likely[i],
      words: typicalWords(model, i, TOP_WORDS)
    })),
    labelledDocuments: tags.labelled,
    ...ruleFacts(rule),
    scores: [...unmeasuredConcepts(model)],
    findings: diagnosis.findings.map(describeFinding),
    skippedAnchors: model.lexicon.skipped,
    files: {model: file, report, tagged: table}
  }
}

/** Typical words to show per concept; findings and concepts in all. */
const TOP_WORDS = 5
const COLUMNS = 100
const MOST_FINDINGS = 3
const MOST_CONCEPTS = 20
/** Documents to label next. */
const LABELS = 100

/** One screen: what was read, what needs attention, the concepts, the files, and what to do next. */
export function runScreen(result: RunResult): string {
  const {paths, model, files, tags} = result
  const learned = Number(model.options.documents)
  const part = learned === tags.documents ? '' : ` (learned from ${grouped(learned)} of them)`
  const read = `${listed(paths)}: ${counted(tags.documents, 'document')}${part}, ${counted(model.concepts.length, 'concept')}, ${counted(model.lexicon.words.length, 'word')}`
  const written = [
    [`  ${files.tagged}`, `the documents with their tags (${ruleText(model, result.rule)})`],
    [`  ${files.report}`, 'the model for people; open it in a browser'],
    [`  ${files.model}`, 'the model for other commands: adfa predict new.csv -o new-tagged.csv']
  ]
  return [
    read,
    ...findingLines(result),
    conceptTable(result),
    `wrote\n${textTable(written)}${answers(result)}`,
    `next\n${nextSteps(result).join('\n')}`
  ].join('\n\n')
}

/** Whose tags are not those of the model. */
function answers({tags: {labelled}, labels, files}: RunResult): string {
  if (labelled === 0 || labels === undefined) return ''
  return `\n  In ${basename(files.tagged)}, ${counted(labelled, 'labelled document has', 'labelled documents have')} your answers of ${basename(labels)}: probability 1 or 0`
}

/** The findings that may spoil the model. */
function findingLines({diagnosis: {findings}}: RunResult): string[] {
  const serious = findings.filter(({severity}) => severity !== 'note')
  if (serious.length === 0) return []
  const items = serious.slice(0, MOST_FINDINGS).map(finding => say`  ${finding.concept}: ${findingText(finding)[0]}`)
  const shown = blocksText([{kind: 'list', items}], COLUMNS)
  const more = serious.length > items.length ? `${grouped(serious.length - items.length)} more, and ` : ''
  return [[`to check`, shown, `  (${more}what to do about them: adfa doctor)`].join('\n')]
}

interface ConceptRates {
  readonly name: string
  /** Undefined where nobody measured it. */
  readonly prevalence: RateInterval | undefined
  readonly basis: RateBasis | undefined
}

function ratesOf({concepts, certificate}: LearnedModel): ConceptRates[] {
  const known = new Map(certificate.noise.concepts.map(rates => [rates.concept, rates]))
  return concepts.map(({name, prevalence}) => {
    const {prevalence: interval, basis} = known.get(name) ?? {}
    const isKnown = basis === undefined || isMeasured(basis)
    return {name, basis, prevalence: isKnown ? around(prevalence, interval) : undefined}
  })
}

/** The prevalence in the network may differ a little from that of the rates. */
function around(value: number, interval: RateInterval = {value, low: value, high: value}): RateInterval {
  return {value, low: Math.min(value, interval.low), high: Math.max(value, interval.high)}
}

function conceptTable({model, tags}: RunResult): string {
  const rates = ratesOf(model)
  const hasUnknown = rates.some(({prevalence}) => prevalence === undefined)
  const hasKnown = rates.some(({prevalence}) => prevalence !== undefined)
  const rows = rates.map(({name, prevalence}, i) => [
    `  ${name}`,
    grouped(tags.anchored[i]),
    prevalence === undefined ? 'unknown' : intervalText(prevalence),
    grouped(tags.tagged[i]),
    ...(hasKnown ? [prevalence === undefined ? '-' : grouped(tags.withoutAnchor[i])] : []),
    ...(hasUnknown ? [prevalence === undefined ? grouped(tags.likely[i]) : '-'] : []),
    typicalWords(model, i, TOP_WORDS).join(', ')
  ])
  const heads = [
    ...['  concept', 'anchored', 'share, 90% interval', 'tagged'],
    ...(hasKnown ? ['without anchor word'] : []),
    ...(hasUnknown ? ['to check, no anchor word'] : []),
    'typical words'
  ]
  const shown = rows.slice(0, MOST_CONCEPTS)
  const rest = rows.length - shown.length
  return [
    textTable([heads, ...shown]),
    ...(rest > 0 ? [`  and ${grouped(rest)} more, in the report`] : []),
    ...(hasUnknown
      ? [
          '  true shares are unknown until you label 30 documents; documents to check are ranked by the scores of the table'
        ]
      : [])
  ].join('\n')
}

/** Labels where shares are unknown or too wide, and better anchors. */
function nextSteps({model, labels, files, tags}: RunResult): string[] {
  const areTagged = tags.withTags > 0 && labels === undefined
  const rates = ratesOf(model)
  const isWide = ({prevalence}: ConceptRates) =>
    prevalence === undefined || width(prevalence) > width(shareInterval(prevalence.value * LABELS, LABELS))
  const steps: [string, string][] = []
  if (areTagged && !(Number(model.options.labelShare) > 0))
    steps.push(['  adfa run --label-share 1', 'learn the rates from the tags of your documents'])
  if (areTagged) steps.push(['  adfa evaluate', 'compare with the tags of your documents'])
  if (labels === undefined && !areTagged && rates.some(isWide))
    steps.push([
      '  adfa label',
      `label 30 to ${LABELS} documents, then adfa run: shares are measured, and tags found without anchor words`
    ])
  if (labels !== undefined && rates.some(isWide)) steps.push(['  adfa label', 'go on labelling, then adfa run'])
  if (labels !== undefined)
    steps.push(['  adfa evaluate', 'how good the tags are, once 30 more documents are labelled'])
  steps.push(['  adfa suggest', 'more words for each anchor'])
  steps.push([`  adfa explain --id ID`, `why a document of ${basename(files.tagged)} has its tags`])
  return textTable(steps).split('\n')
}

/** How far apart the ends of an interval are, as a factor; a given share has no width. */
function width({low, high}: RateInterval): number {
  return high / Math.max(low, 1e-4)
}

/** Why a run stops, and the ways on. */
export function stopText(faults: readonly Finding[], {anchors}: Diagnosis, file: string | undefined): string {
  const concepts = [...new Set(faults.map(({concept}) => concept))]
  const all = new Set([...anchors.map(({concept}) => concept), ...concepts]).size
  const lines = faults.map(fault => {
    const [message] = findingText(fault)
    return `  ${fault.concept}: ${plainText(message)}\n    -> ${plainText(remedyText(fault, remedyCommands))}`
  })
  const others =
    all > concepts.length ? `, or leave ${concepts.length === 1 ? 'it' : 'them'} out: adfa run --skip-bad-anchors` : ''
  return `${concepts.length} of ${counted(all, 'concept')} cannot be learned as ${concepts.length === 1 ? 'it is' : 'they are'}; nothing was written\n${lines.join('\n')}\nChange ${file ?? 'the anchors'}${others}`
}
