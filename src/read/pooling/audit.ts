import {counted, grouped, printableLine} from '../../base/text/index.ts'
import type {SiteStatement} from '../counts/index.ts'
import {differing, placesOf, type Release} from './release.ts'

/** What a release discloses, in plain words for the people responsible for it. */
export interface Audit {
  /** What the file discloses, what it does not, and what to check before sending it. */
  readonly summary: string
  /** Every number, one per line. */
  lines(): Generator<string, void, undefined>
}

export function auditRelease(release: Release): Audit {
  return {summary: summarise(release), lines: () => listNumbers(release)}
}

function summarise(release: Release): string {
  const {sites, lexicon, protocol, maxOrder} = release
  const {anchors, words} = lexicon
  const names = sites.map(({name}) => name).join(', ')
  const whose = sites.length === 1 ? `site "${names}"` : `${sites.length} sites together (${names})`
  const sections = [
    `What this release discloses: the tables of ${whose}`,
    ...(protocol === undefined
      ? []
      : [
          `Counted by the protocol "${printableLine(protocol.name)}", fingerprint ${printableLine(protocol.fingerprint)}.`
        ]),
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

/** One line per kind of number: tables of k anchors, then those of k anchors and a word. */
function contents(release: Release): string[] {
  const {lexicon, maxOrder, low, high, labelShare, withheldLabels} = release
  const [m, n] = [lexicon.anchors.length, lexicon.words.length]
  const kinds = ['', 'concept', 'pair of concepts', 'set of three concepts']
  const {sets, rowOf} = placesOf(release)
  const line = (what: string, which: string, from: number, to: number) =>
    `for each ${what} (${grouped(to - from)}), how many documents have ${which}${note(differing(low, high, from, to))}`
  const anchors: string[] = []
  const words: string[] = []
  for (let k = 0; k <= Math.min(maxOrder, m); k++) {
    const [from, to] = [sets.findIndex(set => set.length === k), sets.findLastIndex(set => set.length === k) + 1]
    const which = ['', 'its anchor', 'the anchors of both', 'the anchors of all three'][k]
    if (k > 0) anchors.push(line(kinds[k], which, from, to))
    if (k === maxOrder || n === 0) continue
    words.push(line(k === 0 ? 'word' : `${kinds[k]} with each word`, k === 0 ? 'it' : 'both', rowOf(from), rowOf(to)))
  }
  const withheld = withheldLabels.filter(sites => sites > 0).length
  const labels = `for each concept (${grouped(m)}), in how many labelled documents it is present or absent, with and without its anchor${note(withheld)}`
  return [`how many documents there are: ${grouped(low[0])}`, ...anchors, ...words, ...(labelShare > 0 ? [labels] : [])]
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

function* listNumbers(release: Release): Generator<string, void, undefined> {
  const {lexicon, low, high} = release
  const {anchors, words} = lexicon
  const range = (from: number, to: number) =>
    from === to ? grouped(from) : `withheld, from ${grouped(from)} to ${grouped(to)}`
  const {count, set, word} = placesOf(release)
  for (let place = 0; place < count; place++) {
    const own = word(place) < 0 ? [] : [`the word ${JSON.stringify(words[word(place)])}`]
    const names = [...set(place).map(i => JSON.stringify(anchors[i].concept)), ...own]
    yield `${names.join(' and ') || 'documents'}: ${range(low[place], high[place])}`
  }
  if (release.labelShare > 0) yield* listLabels(release)
}

function* listLabels({lexicon, labelled, withheldLabels}: Release): Generator<string, void, undefined> {
  for (const [i, {concept}] of lexicon.anchors.entries()) {
    const [absent, absentFired, present, presentFired] = Array.from(labelled.subarray(4 * i, 4 * i + 4), grouped)
    yield `labelled documents, ${JSON.stringify(concept)}: present ${presentFired} with its anchor and ${present} without, ` +
      `absent ${absentFired} with and ${absent} without${withheldLabels[i] === 0 ? '' : `; withheld by ${counted(withheldLabels[i], 'site')}`}`
  }
}

function note(withheld: number): string {
  return withheld === 0 ? '' : `; ${grouped(withheld)} withheld`
}

function list(title: string, items: readonly string[]): string {
  return [`${title}:`, ...items.map(item => `- ${item}`)].join('\n')
}
