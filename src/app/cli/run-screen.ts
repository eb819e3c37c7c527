import {basename} from 'node:path'
import {counted, grouped, listed} from '../../base/text/index.ts'
import type {LearnedModel} from '../../learn/learn.ts'
import type {Diagnosis, Finding} from '../../use/advice/index.ts'
import {certificateFacts, type Estimate, shownRates} from '../../use/facts/index.ts'
import {ruleFacts, tagRule, unmeasuredConcepts} from '../../use/prediction/index.ts'
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
  /** The labels file, if it was used. */
  readonly labels: string | undefined
}

export function runResult({model, diagnosis, files: {model: file, report, tagged}, tags}: RunResult): object {
  const {concepts: rates} = model.certificate.noise
  return {
    documents: model.options.documents,
    words: model.lexicon.words.length,
    concepts: prevalencesOf(model).map(({name, prevalence}, i) => ({
      name,
      basis: rates.find(({concept}) => concept === name)?.basis,
      // Absent where nobody measured it.
      ...(prevalence && {prevalence}),
      anchored: tags.anchored[i],
      tagged: tags.tagged[i],
      taggedWithoutAnchor: tags.withoutAnchor[i],
      likelyWithoutAnchor: tags.likely[i],
      words: typicalWords(model, i, TOP_WORDS)
    })),
    labelledDocuments: tags.labelled,
    ...ruleFacts(tagRule(model)),
    scores: [...unmeasuredConcepts(model)],
    findings: diagnosis.findings.map(describeFinding),
    skippedAnchors: model.lexicon.skipped,
    files: {model: file, report, tagged}
  }
}

/** Typical words to show per concept; findings and concepts in all. */
const TOP_WORDS = 5
const COLUMNS = 100
const MOST_FINDINGS = 3
const MOST_CONCEPTS = 20

/** One screen: what was read, what needs attention, the concepts, the files, and what to do next. */
export function runScreen(result: RunResult): string {
  const {paths, model, files, tags, labels} = result
  const learned = Number(model.options.documents)
  const part = learned === tags.documents ? '' : ` (learned from ${grouped(learned)} of them)`
  const read = `${listed(paths)}: ${counted(tags.documents, 'document')}${part}, ${counted(model.concepts.length, 'concept')}, ${counted(model.lexicon.words.length, 'word')}`
  const written = [
    [`  ${files.tagged}`, `the documents with their tags (${ruleText(model, tagRule(model))})`],
    [`  ${files.report}`, 'the model for people; open it in a browser'],
    [`  ${files.model}`, 'the model for other commands: adfa predict new.csv -o new-tagged.csv']
  ]
  const answers =
    tags.labelled === 0 || labels === undefined
      ? ''
      : `\n  In ${basename(files.tagged)}, ${counted(tags.labelled, 'labelled document has', 'labelled documents have')} your answers of ${basename(labels)}: probability 1 or 0`
  return [
    read,
    ...findingLines(result),
    conceptTable(result),
    `wrote\n${textTable(written)}${answers}`,
    `next\n${textTable(nextSteps(result))}`
  ].join('\n\n')
}

/** The findings that may spoil the model. */
function findingLines({diagnosis: {findings}}: RunResult): string[] {
  const serious = findings.filter(({severity}) => severity !== 'note')
  if (serious.length === 0) return []
  const items = serious.slice(0, MOST_FINDINGS).map(finding => say`  ${finding.concept}: ${findingText(finding)[0]}`)
  const more = serious.length > items.length ? `${grouped(serious.length - items.length)} more, and ` : ''
  return [`to check\n${blocksText([{kind: 'list', items}], COLUMNS)}\n  (${more}what to do about them: adfa doctor)`]
}

/** The prevalences with 90% intervals; undefined where nobody measured them. */
function prevalencesOf(model: LearnedModel) {
  const facts = {...certificateFacts(model), intervals: undefined}
  return model.concepts.map(concept => {
    const prevalence = shownRates(facts, concept)?.prevalence
    return {name: concept.name, prevalence: prevalence && withEnds(prevalence)}
  })
}

function withEnds({value, low = value, high = value}: Estimate): Required<Estimate> {
  return {value, low, high}
}

function conceptTable({model, tags}: RunResult): string {
  const all = prevalencesOf(model)
  const hasUnknown = all.some(({prevalence}) => prevalence === undefined)
  const hasKnown = all.some(({prevalence}) => prevalence !== undefined)
  const rows = all.map(({name, prevalence}, i) => [
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
  const rest = rows.length - MOST_CONCEPTS
  return [
    textTable([heads, ...rows.slice(0, MOST_CONCEPTS)]),
    ...(rest > 0 ? [`  and ${grouped(rest)} more, in the report`] : []),
    ...(hasUnknown
      ? [
          '  true shares are unknown until you label 30 documents; documents to check are ranked by the scores of the table'
        ]
      : [])
  ].join('\n')
}

/** Labels where shares are unknown, and better anchors. */
function nextSteps({model, labels, files, tags}: RunResult): string[][] {
  const hasLabels = labels !== undefined
  const areTagged = tags.withTags > 0 && !hasLabels
  const isUnknown = prevalencesOf(model).some(({prevalence}) => prevalence === undefined)
  const steps: [isDue: boolean, command: string, why: string][] = [
    [
      areTagged && isUnknown,
      `adfa run --label-share 1${model.lexicon.skipped.length > 0 ? ' --skip-bad-anchors' : ''}`,
      'learn the rates from the tags of your documents'
    ],
    [areTagged, 'adfa evaluate', 'compare with the tags of your documents'],
    [
      isUnknown && !areTagged,
      'adfa label',
      'label 30 to 100 documents, then adfa run: shares are measured, and tags found without anchor words'
    ],
    [hasLabels, 'adfa evaluate', 'how good the tags are, once 30 more documents are labelled'],
    [true, 'adfa suggest', 'more words for each anchor'],
    [true, 'adfa explain --id ID', `why a document of ${basename(files.tagged)} has its tags`]
  ]
  return steps.flatMap(([isDue, command, why]) => (isDue ? [[`  ${command}`, why]] : []))
}

/** Why a run stops, and the ways on. */
export function stopText(faults: readonly Finding[], {anchors}: Diagnosis, file = 'the anchors'): string {
  const concepts = [...new Set(faults.map(({concept}) => concept))]
  const all = new Set([...anchors.map(({concept}) => concept), ...concepts]).size
  const lines = faults.map(fault => {
    const [message] = findingText(fault)
    return `  ${fault.concept}: ${plainText(message)}\n    -> ${plainText(remedyText(fault, remedyCommands))}`
  })
  const [isAre, them] = concepts.length === 1 ? ['it is', 'it'] : ['they are', 'them']
  const others = all > concepts.length ? `, or leave ${them} out: adfa run --skip-bad-anchors` : ''
  return `${concepts.length} of ${counted(all, 'concept')} cannot be learned as ${isAre}; nothing was written\n${lines.join('\n')}\nChange ${file}${others}`
}
