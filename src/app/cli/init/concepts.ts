import {AdfaError} from '../../../base/checks/index.ts'
import {counted, grouped, listed, nameList} from '../../../base/text/index.ts'
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
  type ProposedAnchor,
  proposeAnchors,
  type Vocabulary,
  VocabularySurvey
} from '../../../use/advice/index.ts'
import type {Asker} from '../ask.ts'
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

/** Proposes an anchor for each name and, in a terminal, asks about it. `isBrief`: without examples. */
export async function settleAnchors(
  names: readonly string[],
  {rows, reading, isBrief}: {readonly rows: readonly Row[]; readonly reading: TextOptions; readonly isBrief: boolean},
  asker: Asker | undefined,
  output: Output
): Promise<SettledAnchors> {
  const {negation, proposals, hits} = propose(names, rows, reading)
  const choice: WordChoice = {rows, reading: {...reading, negation}, asker, output}
  const anchors: Anchor[] = []
  const missing: ProposedAnchor[] = []
  for (const [at, proposal] of proposals.entries()) {
    // Nobody asked for this tag, and too little can be learned from so few documents.
    const isRare = isBrief && hits[at].documents < LEAST_HITS
    if (!isRare) output.print(isBrief ? briefly(proposal) : describeProposal(proposal, hits[at].affirmed))
    const any = isRare ? [] : await accepted(proposal, choice)
    if (any.length > 0) anchors.push({...anchorOf(proposal), any})
    else missing.push(proposal)
  }
  refuseNone(anchors, missing)
  const leftOut =
    missing.length > 0 && asker === undefined
      ? `left out, since ${isBrief ? 'few documents or none have the words of their name' : 'no word of their name occurs'}: ${listed(missing.map(describeMissing))}; to have them, add them to the anchors with words that occur`
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

function describeMissing({concept, near}: ProposedAnchor): string {
  return `"${concept}"${near.length > 0 ? ` (similar: ${near.join(', ')})` : ''}`
}

function refuseNone(anchors: Anchors, missing: readonly ProposedAnchor[]): void {
  if (anchors.length > 0) return
  throw new AdfaError(
    'bad-anchors',
    `none of the concepts is named in the documents: ${listed(missing.map(describeMissing))}; give names or words that occur`
  )
}

function describeProposal({concept, members, doubtful, notes}: ProposedAnchor, examples: readonly string[]): string {
  const width = Math.max(0, ...members.map(({feature}) => feature.length))
  return [
    concept,
    ...members.map(({feature, documents, kind, reason}) => {
      const why = kind === 'name' ? '' : `  ${reason.replace(/; in [\d,]+ documents?$/, '')}`
      return `  ${feature.padEnd(width)}  ${grouped(documents).padStart(6)} ${documents === 1 ? 'document' : 'documents'}${why}`
    }),
    ...(members.length === 0 ? notes.map(note => `  ${note}`) : []),
    ...(doubtful.length > 0 ? [`  not taken: ${nameList(doubtful.map(({feature}) => feature))}`] : []),
    ...examples.map(example => `    "${example}"`)
  ].join('\n')
}

/** What a person is shown who chooses words. */
interface WordChoice {
  readonly rows: readonly Row[]
  readonly reading: TextOptions
  readonly asker: Asker | undefined
  readonly output: Output
}

/** The words to use: those proposed, as a person changes them. */
async function accepted(proposal: ProposedAnchor, choice: WordChoice): Promise<string[]> {
  const {asker, output} = choice
  const documents = new Map(proposal.members.map(member => [member.feature, member.documents]))
  let words = [...documents.keys()]
  if (asker === undefined) return words
  const question =
    words.length > 0
      ? 'Enter accepts; words to strike, or +word to add, separated by commas:'
      : `No word found. Words that mark it, separated by commas${proposal.near.length > 0 ? ` (similar: ${proposal.near.join(', ')})` : ''}; Enter leaves it out:`
  for (;;) {
    const changes = conceptNames(await asker.ask(question))
    if (changes.length === 0) return words
    for (const change of changes) {
      const word = memberName(change.replace(/^\+\s*/, ''), choice.reading)
      if (words.includes(word)) {
        if (!change.startsWith('+')) words = words.filter(own => own !== word)
        continue
      }
      const count = documentsWith(word, choice)
      documents.set(word, count)
      if (count > 0) words = [...words, word]
      else output.note(`"${word}" never occurs`)
    }
    const described = words.map(word => `${word} (${counted(documents.get(word) ?? 0, 'document')})`)
    output.note(words.length === 0 ? 'no words left' : described.join(', '))
  }
}

/** A word or phrase as anchors.json names it, with its field in the case of the documents. */
function memberName(typed: string, reading: TextOptions): string {
  const field = fieldsOf(reading).fieldNames.find(name => typed.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  const rest = field === undefined ? typed : typed.slice(field.length + 1).trim()
  const word = rest.startsWith('/') ? rest : rest.toLowerCase()
  return field === undefined ? word : `${field}:${word}`
}

/** Documents in which a word, a phrase or an expression fires as an anchor. */
function documentsWith(word: string, {rows, reading, output}: WordChoice): number {
  try {
    const reader = new NumberedReader([{concept: '', any: [word], not: [], rates: undefined}], [], reading)
    return rows.filter(row => reader.read(row).length > 0).length
  } catch (error) {
    if (!(error instanceof AdfaError)) throw error
    output.note(error.message)
    return 0
  }
}
