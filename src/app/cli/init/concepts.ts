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
  VocabularySurvey
} from '../../../use/advice/index.ts'
import {askText} from '../ask.ts'
import type {Output} from '../output.ts'

/** The first documents, and how they are read. */
export interface FirstDocuments {
  readonly rows: readonly Row[]
  readonly reading: TextOptions
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

/** Where anchors fire, and where only because negation is not read. */
export function hitsOf(anchors: Anchors, {rows, reading}: FirstDocuments): AnchorHits[] {
  return anchorHits({anchors, phrases: [], reading}, rows)
}

interface Settling {
  /** Whether the names are tags: then nobody asked for them, and passages and rare ones are left out. */
  readonly areTags: boolean
  readonly isAsking: boolean
}

/** Proposes an anchor for each name and, in a terminal, asks about it. Returns those to write, and why the others have none. */
export async function settleAnchors(
  names: readonly string[],
  documents: FirstDocuments,
  {areTags, isAsking}: Settling,
  output: Output
): Promise<{readonly anchors: Anchors; readonly leftOut: readonly string[]}> {
  const {negation, proposals, hits} = propose(names, documents)
  const anchors: Anchor[] = []
  const leftOut: string[] = []
  for (const [at, proposal] of proposals.entries()) {
    const {documents: fired, affirmed} = hits[at]
    const isRare = areTags && fired < LEAST_HITS
    if (!isRare) output.print(proposalText(proposal, areTags ? undefined : affirmed))
    const {concept, any, ...rest} = anchorOf(proposal)
    const reading = {...documents.reading, negation}
    const taken = isRare ? [] : isAsking ? await askMembers(proposal, {...documents, reading}) : any
    if (taken.length > 0) anchors.push({concept, any: taken, ...rest})
    else leftOut.push(missingText(proposal, fired))
  }
  if (anchors.length === 0)
    throw new AdfaError(
      'bad-anchors',
      `no concept has words for an anchor: ${listed(leftOut)}; give names or words that mark the documents of each concept`
    )
  return {anchors, leftOut}
}

/** Where negated mentions matter they do not count: "effusion" may be in most reports, and in most of them as "no effusion". */
function propose(names: readonly string[], documents: FirstDocuments) {
  const proposed = (negation: boolean) => {
    const survey = new VocabularySurvey(names, {...documents.reading, negation})
    for (const row of documents.rows) survey.add(row)
    const proposals = proposeAnchors(names, survey.vocabulary())
    return {negation, proposals, hits: hitsOf(proposals.map(anchorOf), documents)}
  }
  const affirmed = proposed(true)
  return mostNegated(affirmed.hits) === undefined ? proposed(false) : affirmed
}

function anchorOf({concept, members}: ProposedAnchor): Anchor {
  return {concept, any: members.map(({feature}) => feature), not: [], rates: undefined}
}

/** The words of an anchor with their documents, and for a concept that somebody named also passages and what was not taken. */
function proposalText(
  {concept, members, doubtful, notes}: ProposedAnchor,
  passages: readonly string[] | undefined
): string {
  const words = members.map(({feature, documents}) => `${feature} ${grouped(documents)}`)
  const line = `  ${concept}: ${(words.length > 0 ? words : notes.map(noteText)).join(', ')}`
  if (passages === undefined) return line
  const others = doubtful.length > 0 ? [`    not taken: ${nameList(doubtful.map(({feature}) => feature))}`] : []
  return [line, ...others, ...passages.map(passage => `    "${passage}"`)].join('\n')
}

/** A concept without an anchor, and why. */
function missingText({concept, near, members, notes}: ProposedAnchor, documents: number): string {
  const why = members.length > 0 ? [`${counted(documents, 'document')}, fewer than ${LEAST_HITS}`] : notes.map(noteText)
  return `"${concept}" (${[...why, ...similarText(near)].join('; ')})`
}

function similarText(near: readonly string[]): string[] {
  return near.length > 0 ? [`similar: ${near.join(', ')}`] : []
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

/** The words that a person makes of those proposed; each must occur. */
async function askMembers({concept, members, near}: ProposedAnchor, documents: FirstDocuments): Promise<string[]> {
  const named = (typed: string) => conceptNames(typed).map(word => memberName(word, documents.reading))
  const similar = members.length > 0 ? [] : similarText(near).map(text => ` (${text})`)
  const answer = await askText(
    `Words that mark ${concept}, separated by commas${similar}; without any it is left out:`,
    typed => {
      for (const word of named(typed)) checkMember(word, documents)
    },
    members.map(({feature}) => feature).join(', ')
  )
  return named(answer)
}

/** A word or phrase as anchors.json names it, with its field in the case of the documents. */
function memberName(typed: string, reading: TextOptions): string {
  const field = fieldsOf(reading).fieldNames.find(name => typed.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  const rest = field === undefined ? typed : typed.slice(field.length + 1).trim()
  const word = rest.startsWith('/') ? rest : rest.toLowerCase()
  return field === undefined ? word : `${field}:${word}`
}

/** Refuses a word, a phrase or an expression that cannot be read or never occurs. */
function checkMember(word: string, {rows, reading}: FirstDocuments): void {
  const reader = new NumberedReader([{concept: '', any: [word], not: [], rates: undefined}], [], reading)
  if (rows.every(row => reader.read(row).length === 0)) throw new AdfaError('bad-anchors', `"${word}" never occurs`)
}
