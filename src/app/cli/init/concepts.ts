import {text} from '@clack/prompts'
import {AdfaError} from '../../../base/checks/index.ts'
import {counted, grouped, listed, nameList, percent} from '../../../base/text/index.ts'
import {
  type Anchor,
  type Anchors,
  fieldsOf,
  NumberedReader,
  type Row,
  TagSurvey,
  type TextOptions
} from '../../../read/data/index.ts'
import {
  type AnchorHits,
  anchorHits,
  mostNegated,
  type ProposalNote,
  type ProposedAnchor,
  proposeAnchors,
  type Vocabulary,
  VocabularySurvey
} from '../../../use/advice/index.ts'
import {formText} from '../../present/index.ts'
import {answered} from '../ask.ts'
import type {Output} from '../output.ts'

/** The anchors to write, and how often they hit. */
export interface SettledAnchors {
  readonly anchors: Anchors
  readonly hits: readonly AnchorHits[]
  /** Concepts asked for, and a sentence about those without an anchor. */
  readonly asked: number
  readonly leftOut: string | undefined
}

/** Documents with tags are tried with their most frequent ones. */
const MOST_TAGS = 30
/** Tags in fewer documents, by number and by share, are too rare to learn. */
const LEAST_TAGGED = 10
const LEAST_TAG_SHARE = 0.005
/** The doctor warns about anchors that fire in fewer documents. */
const LEAST_HITS = 30

/** The most frequent tags, which then are the concepts; none if the documents have no tags. */
export function frequentTags(rows: readonly Row[]): string[] {
  const survey = new TagSurvey()
  for (const row of rows) survey.add(row)
  const {counts, documentCount} = survey
  const least = Math.max(LEAST_TAGGED, LEAST_TAG_SHARE * documentCount)
  return [...counts]
    .filter(([tag, count]) => count >= least && !tag.startsWith('$') && tag.trim() === tag)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, MOST_TAGS)
    .map(([tag]) => tag)
}

/** The names in a text such as "alcohol, chest pain, fall", also with semicolons or a name per line. */
export function conceptNames(text: string): string[] {
  return text
    .split(/[,;，；、\r\n]/)
    .map(name => name.trim())
    .filter(name => name !== '')
}

/** The names, in the letter case of the tag that is equal but for it: a tag counts only for a concept of exactly its name. */
export function namesAsTagged(names: readonly string[], rows: readonly Row[]): string[] {
  const tags = new Set(rows.flatMap(row => row.tags ?? []))
  const byLowerCase = new Map([...tags].map(tag => [tag.toLowerCase(), tag]))
  return names.map(name => (tags.has(name) ? name : (byLowerCase.get(name.toLowerCase()) ?? name)))
}

/** The words of the documents, and forms of the names among them. */
export function vocabularyOf(names: readonly string[], rows: readonly Row[], reading: TextOptions): Vocabulary {
  const survey = new VocabularySurvey(names, reading)
  for (const row of rows) survey.add(row)
  return survey.vocabulary()
}

interface Settling {
  readonly rows: readonly Row[]
  readonly reading: TextOptions
  /** Without examples, since nobody named the concepts. */
  readonly isBrief: boolean
}

/** Proposes an anchor for each name and, in a terminal, asks about it. */
export async function settleAnchors(
  names: readonly string[],
  {rows, reading, isBrief}: Settling,
  isAsking: boolean,
  output: Output
): Promise<SettledAnchors> {
  const {negation, proposals, hits} = propose(names, rows, reading)
  const anchors: Anchor[] = []
  const missing: string[] = []
  for (const [at, proposal] of proposals.entries()) {
    // Nobody asked for this tag, and too little can be learned from so few documents.
    const isRare = isBrief && hits[at].documents < LEAST_HITS
    if (!isRare) output.print(isBrief ? briefly(proposal) : describeProposal(proposal, hits[at].affirmed))
    const proposed = isRare ? [] : proposal.members.map(({feature}) => feature)
    const any = isAsking && !isRare ? await askMembers(proposal, rows, {...reading, negation}) : proposed
    if (any.length > 0) anchors.push({...anchorOf(proposal), any})
    else missing.push(describeMissing(proposal, hits[at].documents))
  }
  if (anchors.length === 0)
    throw new AdfaError(
      'bad-anchors',
      `no concept has words for an anchor: ${listed(missing)}; give names or words that mark the documents of each concept`
    )
  const leftOut =
    missing.length > 0 && !isAsking
      ? `left out: ${listed(missing)}; to have them, add them to the anchors with words that occur`
      : undefined
  return {anchors, hits: hitsOf(anchors, rows, reading), asked: names.length, leftOut}
}

/** Where anchors fire, and where only because negation is not read. */
export function hitsOf(anchors: Anchors, rows: readonly Row[], reading: TextOptions): AnchorHits[] {
  return anchorHits({anchors, phrases: [], reading}, rows)
}

interface Proposals {
  readonly negation: boolean
  readonly proposals: readonly ProposedAnchor[]
  readonly hits: readonly AnchorHits[]
}

/** Where negated mentions matter they do not count: "effusion" may be in most reports, and in most of them as "no effusion". */
function propose(names: readonly string[], rows: readonly Row[], reading: TextOptions): Proposals {
  const proposed = (negation: boolean): Proposals => {
    const vocabulary = vocabularyOf(names, rows, {...reading, negation})
    const proposals = proposeAnchors(names, vocabulary)
    return {negation, proposals, hits: hitsOf(proposals.map(anchorOf), rows, reading)}
  }
  const affirmed = proposed(true)
  return mostNegated(affirmed.hits) === undefined ? proposed(false) : affirmed
}

function briefly({concept, members}: ProposedAnchor): string {
  return `  ${concept}: ${members.map(({feature, documents}) => `${feature} ${grouped(documents)}`).join(', ')}`
}

function anchorOf({concept, members}: ProposedAnchor): Anchor {
  return {concept, any: members.map(({feature}) => feature), not: [], rates: undefined}
}

/** A concept without an anchor, and why. */
function describeMissing({concept, near, members, notes}: ProposedAnchor, documents: number): string {
  const rare = `${counted(documents, 'document')}, fewer than ${LEAST_HITS}`
  const why = members.length > 0 ? [rare] : notes.map(noteText)
  return `"${concept}" (${[...why, ...(near.length > 0 ? [`similar: ${near.join(', ')}`] : [])].join('; ')})`
}

function noteText(note: ProposalNote): string {
  const {kind, name} = note
  switch (kind) {
    case 'function-word':
      return `'${name}' is a function word, which marks no concept`
    case 'common':
      return `'${name}' is in ${percent(note.share)} of the documents, too many for an anchor`
    case 'taken':
      return `'${name}' belongs to "${note.by}"`
    case 'absent': {
      const apart = note.apart.map(({word, documents}) => `'${word}' in ${counted(documents, 'document')}`)
      return `'${name}' never occurs${note.isPhrase ? ' as a phrase' : ''}${apart.length > 0 ? `, but ${apart.join(' and ')}` : ''}`
    }
  }
}

function describeProposal({concept, members, doubtful, notes}: ProposedAnchor, examples: readonly string[]): string {
  const width = Math.max(0, ...members.map(({feature}) => feature.length))
  return [
    concept,
    ...members.map(member => {
      const {feature, documents, kind} = member
      const why = kind === 'name' ? '' : `  ${formText(member)}`
      return `  ${feature.padEnd(width)}  ${grouped(documents).padStart(6)} ${documents === 1 ? 'document' : 'documents'}${why}`
    }),
    ...(members.length === 0 ? notes.map(note => `  ${noteText(note)}`) : []),
    ...(doubtful.length > 0 ? [`  not taken: ${nameList(doubtful.map(({feature}) => feature))}`] : []),
    ...examples.map(example => `    "${example}"`)
  ].join('\n')
}

/** The words that a person makes of those proposed; each must occur. */
async function askMembers(
  {concept, members, near}: ProposedAnchor,
  rows: readonly Row[],
  reading: TextOptions
): Promise<readonly string[]> {
  const similar = members.length === 0 && near.length > 0 ? ` (similar: ${near.join(', ')})` : ''
  const named = (typed = '') => conceptNames(typed).map(word => memberName(word, reading))
  const answer = await text({
    message: `Words that mark ${concept}, separated by commas${similar}; without any it is left out:`,
    initialValue: members.map(({feature}) => feature).join(', '),
    validate: typed => named(typed).flatMap(word => memberFault(word, rows, reading) ?? [])[0],
    output: process.stderr
  })
  return named(answered(answer))
}

/** A word or phrase as anchors.json names it, with its field in the case of the documents. */
function memberName(typed: string, reading: TextOptions): string {
  const field = fieldsOf(reading).fieldNames.find(name => typed.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  const rest = field === undefined ? typed : typed.slice(field.length + 1).trim()
  const word = rest.startsWith('/') ? rest : rest.toLowerCase()
  return field === undefined ? word : `${field}:${word}`
}

/** What is wrong with a word, a phrase or an expression as an anchor. */
function memberFault(word: string, rows: readonly Row[], reading: TextOptions): string | undefined {
  try {
    const reader = new NumberedReader([{concept: '', any: [word], not: [], rates: undefined}], [], reading)
    return rows.some(row => reader.read(row).length > 0) ? undefined : `"${word}" never occurs`
  } catch (error) {
    if (error instanceof AdfaError) return error.message
    throw error
  }
}
