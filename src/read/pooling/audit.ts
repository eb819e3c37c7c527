import {exp} from '../../base/numeric/index.ts'
import type {NoiseStatement, SiteStatement} from '../counts/index.ts'
import {conceptSets} from './concept-sets.ts'
import type {Release} from './release.ts'

/** What a release lets out of the house, in plain words for those who answer for it. */
export interface Audit {
  /** What the file tells, what it does not, and what to look at before it is sent. */
  readonly summary: string
  /** Every number, one a line. */
  lines(): Generator<string, void, undefined>
}

export function auditRelease(release: Release): Audit {
  return {summary: summarise(release), lines: () => listNumbers(release)}
}

function summarise(release: Release): string {
  const {sites, lexicon, protocol, maxOrder} = release
  const {anchors, words} = lexicon
  const sections = [
    sites.length === 1
      ? `What leaves the house: the tables of site "${sites[0].name}"`
      : `What leaves the house: the tables of ${sites.length} sites together (${sites.map(({name}) => name).join(', ')})`,
    ...(protocol === undefined
      ? []
      : [`Counted by the protocol "${protocol.name}", fingerprint ${protocol.fingerprint}.`]),
    list('This file tells', told(release)),
    list('It does not tell', [
      'any text, any record, any identifier, nor which documents have what',
      `anything about more than ${maxOrder} anchors and words together`
    ]),
    ...new Set(sites.map(protection)),
    list('Before it is sent', [
      `read the ${counted(words.length, 'word')} and the anchors of the ${counted(anchors.length, 'concept')}, which stand in it: are there names of people or places among them?`,
      'is the name of the site one that may be known?',
      'were tables of nearly the same documents sent before? The difference of two files tells of the documents in between'
    ])
  ]
  return `${sections.join('\n\n')}\n`
}

/** One line for each kind of number. */
function told(release: Release): string[] {
  const {lexicon, maxOrder, low, high, wordLow, wordHigh, labelShare, withheldLabels} = release
  const [m, n] = [lexicon.anchors.length, lexicon.words.length]
  const kinds = ['concept', 'pair of concepts', 'set of three concepts']
  const sizes = conceptSets(m, maxOrder).map(set => set.length)
  const lines = [`how many documents there are: ${format(low[0])}`]
  for (let k = 1; k <= Math.min(maxOrder, m); k++) {
    const from = sizes.indexOf(k)
    const to = sizes.lastIndexOf(k) + 1
    const withheld = differing(low, high, from, to)
    const which = ['its anchor', 'the anchors of both', 'the anchors of all three'][k - 1]
    lines.push(`for each ${kinds[k - 1]} (${format(to - from)}), how many documents have ${which}${said(withheld)}`)
  }
  for (let k = 0; k < maxOrder && k <= m && n > 0; k++) {
    const from = n * sizes.indexOf(k)
    const to = n * (sizes.lastIndexOf(k) + 1)
    const withheld = differing(wordLow, wordHigh, from, to)
    lines.push(
      k === 0
        ? `for each word (${format(n)}), how many documents have it${said(withheld)}`
        : `for each ${kinds[k - 1]} with each word (${format(to - from)}), how many documents have both${said(withheld)}`
    )
  }
  const withheld = withheldLabels.reduce((sum, sites) => sum + Math.min(1, sites), 0)
  if (labelShare > 0)
    lines.push(
      `for each concept (${format(m)}), in how many labelled documents it is present or absent, with and without its anchor${said(withheld)}`
    )
  return lines
}

function protection({minCell, noise}: SiteStatement): string {
  const small =
    minCell > 1
      ? `Numbers that would tell of a group of 1 to ${minCell - 1} documents are withheld; a range is given instead.`
      : noise === undefined
        ? 'Nothing is withheld: groups of a single document can be seen (--min-cell 10 withholds them).'
        : ''
  if (noise === undefined)
    return `${small}\nThe other numbers are exact. Whoever knows much already, or combines many of them, may work out more than one number tells; --privacy adds noise against that.`
  return [...(small === '' ? [] : [small]), noiseText(noise)].join('\n')
}

function noiseText({mechanism, epsilon, delta, mostAnchors, mostWords, parts, isRehearsal}: NoiseStatement): string {
  const spread = ({name, scale}: NoiseStatement['parts'][number]) =>
    `${name} ${format(Math.round(mechanism === 'laplace' ? Math.SQRT2 * scale : Math.sqrt(scale)))}`
  const promise =
    `Every number has ${mechanism === 'laplace' ? 'Laplace' : 'Gaussian'} noise, with a typical size (standard deviation) of: ${parts.map(spread).join(', ')}.\n` +
    `Privacy budget: epsilon ${epsilon}${delta > 0 ? `, delta ${delta}` : ''}. Whether any one document is in it or not makes no result more than ` +
    `${format(Number(exp(epsilon).toPrecision(2)))} times as likely${delta > 0 ? ', but for a chance of delta' : ''}. A document counts with at most ${counted(mostAnchors, 'concept')} and ${counted(mostWords, 'word')}.\n` +
    'That holds for one document and one release: a person with five documents spends the budget five times, and so do five releases of the same documents.'
  return isRehearsal
    ? `REHEARSAL, NO PRIVACY: the noise was drawn from a seed and can be taken off again. Do not send this file.\n${promise}`
    : promise
}

function* listNumbers(release: Release): Generator<string, void, undefined> {
  const {lexicon, maxOrder, low, high, wordLow, wordHigh} = release
  const {anchors, words} = lexicon
  const range = (from: number, to: number) =>
    from === to ? format(from) : `withheld, from ${format(from)} to ${format(to)}`
  const named = (set: readonly number[]) => set.map(i => JSON.stringify(anchors[i].concept)).join(' and ')
  const sets = conceptSets(anchors.length, maxOrder)
  for (const [at, set] of sets.entries())
    yield at === 0 ? `documents: ${range(low[0], high[0])}` : `${named(set)}: ${range(low[at], high[at])}`
  for (let at = 0; at * words.length < wordLow.length; at++)
    for (const [j, word] of words.entries()) {
      const place = at * words.length + j
      const company = at === 0 ? '' : `${named(sets[at])} and `
      yield `${company}the word ${JSON.stringify(word)}: ${range(wordLow[place], wordHigh[place])}`
    }
  if (release.labelShare > 0) yield* listLabels(release)
}

function* listLabels({lexicon, labelled, withheldLabels}: Release): Generator<string, void, undefined> {
  for (const [i, {concept}] of lexicon.anchors.entries()) {
    const [absent, absentFired, present, presentFired] = Array.from(labelled.subarray(4 * i, 4 * i + 4), format)
    yield `labelled documents, ${JSON.stringify(concept)}: present ${presentFired} with its anchor and ${present} without, ` +
      `absent ${absentFired} with and ${absent} without${said(withheldLabels[i], 'site')}`
  }
}

function said(withheld: number, noun?: string): string {
  if (withheld === 0) return ''
  return noun === undefined ? `; ${format(withheld)} withheld` : `; withheld by ${counted(withheld, noun)}`
}

function differing(low: Float64Array, high: Float64Array, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at++) if (low[at] !== high[at]) count++
  return count
}

function list(title: string, items: readonly string[]): string {
  return [`${title}:`, ...items.map(item => `- ${item}`)].join('\n')
}

function counted(count: number, noun: string): string {
  return `${format(count)} ${noun}${count === 1 ? '' : 's'}`
}

function format(number: number): string {
  return number.toLocaleString('en')
}
