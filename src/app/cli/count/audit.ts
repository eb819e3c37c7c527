/** What a release discloses, in plain words for the people responsible for it. */
import {counted, grouped, printableLine} from '../../../base/text/index.ts'
import type {SiteStatement} from '../../../read/counts/index.ts'
import {type Release, releasedNumbers} from '../../../read/pooling/index.ts'

/** What the file discloses, what it does not, and what to check before sending it. */
export function auditSummary(release: Release): string {
  const {sites, lexicon, protocol, maxOrder} = release
  const {anchors, words} = lexicon
  const names = sites.map(({name}) => name).join(', ')
  const whose = sites.length === 1 ? `site "${names}"` : `${sites.length} sites together (${names})`
  const counting =
    protocol &&
    `Counted by the protocol "${printableLine(protocol.name)}", fingerprint ${printableLine(protocol.fingerprint)}.`
  const sections = [
    `What this release discloses: the tables of ${whose}`,
    ...(counting === undefined ? [] : [counting]),
    list('The file contains', contents(release)),
    list('It does not contain', [
      'any text, record or identifier, nor which documents have what',
      `anything about more than ${maxOrder} anchors and words together`
    ]),
    ...new Set(sites.map(protection)),
    list('Before you send it', [
      `read the ${counted(words.length, 'word')} and the anchors of the ${counted(anchors.length, 'concept')}, which it contains: are names of people or places among them?`,
      'may the name of the site be known?',
      'were tables of nearly the same documents sent before? The difference of two files reveals the documents in between, unless the second was made with adfa count --earlier'
    ])
  ]
  return `${sections.join('\n\n')}\n`
}

/** Numbers of sets of 0 to 3 concepts, alone and with a word. */
const ALONE = [
  '',
  'concept (#), how many documents have its anchor',
  'pair of concepts (#), how many documents have the anchors of both',
  'set of three concepts (#), how many documents have the anchors of all three'
]
const WITH_WORD = [
  'word (#), how many documents have it',
  'concept with each word (#), how many documents have both',
  'pair of concepts with each word (#), how many documents have both'
]

/** One line per kind of number: tables of k anchors, then those of k anchors and a word. */
function contents(release: Release): string[] {
  const {lexicon, low, labelShare, withheldLabels} = release
  const kinds = new Map<string, {numbers: number; withheld: number}>()
  for (const {concepts, word, low, high} of releasedNumbers(release)) {
    const kind = (word === undefined ? ALONE : WITH_WORD)[concepts.length]
    const {numbers, withheld} = kinds.get(kind) ?? {numbers: 0, withheld: 0}
    kinds.set(kind, {numbers: numbers + 1, withheld: withheld + (low === high ? 0 : 1)})
  }
  kinds.delete('')
  if (labelShare > 0)
    kinds.set('concept (#), in how many labelled documents it is present or absent, with and without its anchor', {
      numbers: lexicon.anchors.length,
      withheld: withheldLabels.filter(sites => sites > 0).length
    })
  const lines = Array.from(kinds, ([kind, {numbers, withheld}]) => {
    const note = withheld === 0 ? '' : `; ${grouped(withheld)} withheld`
    return `for each ${kind.replace('#', grouped(numbers))}${note}`
  })
  return [`how many documents there are: ${grouped(low[0])}`, ...lines]
}

function protection({minCell}: SiteStatement): string {
  const small =
    minCell > 1
      ? `Numbers that would reveal a group of ${minCell === 2 ? '1 document' : `1 to ${minCell - 1} documents`} are withheld; a range of at least two numbers is given instead.\n` +
        'Further numbers are withheld so that none of these follows from the others, not even from values, votes and labels that exclude each other, or anchors that imply each other: ' +
        'for each withheld number and each group so small there are other documents that agree with everything in this file and differ in it.'
      : 'Nothing is withheld: groups of a single document are visible (adfa count --min-cell 10 withholds them).'
  return `${small}\nThe other numbers are exact. Groups of more anchors and words than the tables have are not protected, nor is anything from a reader with background knowledge.`
}

/** Every number, one per line. */
export function* auditLines(release: Release): Generator<string, void, undefined> {
  const {lexicon, labelled, labelShare, withheldLabels} = release
  const {anchors, words} = lexicon
  for (const {concepts, word, low, high} of releasedNumbers(release)) {
    const own = word === undefined ? [] : [`the word ${JSON.stringify(words[word])}`]
    const names = [...concepts.map(i => JSON.stringify(anchors[i].concept)), ...own]
    const range = low === high ? grouped(low) : `withheld, from ${grouped(low)} to ${grouped(high)}`
    yield `${names.join(' and ') || 'documents'}: ${range}`
  }
  for (const [i, {concept}] of labelShare > 0 ? anchors.entries() : []) {
    const [absent, absentFired, present, presentFired] = Array.from(labelled.subarray(4 * i, 4 * i + 4), grouped)
    yield `labelled documents, ${JSON.stringify(concept)}: present ${presentFired} with its anchor and ${present} without, ` +
      `absent ${absentFired} with and ${absent} without${withheldLabels[i] === 0 ? '' : `; withheld by ${counted(withheldLabels[i], 'site')}`}`
  }
}

function list(title: string, items: readonly string[]): string {
  return [`${title}:`, ...items.map(item => `- ${item}`)].join('\n')
}
