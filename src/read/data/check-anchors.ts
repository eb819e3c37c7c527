import {AdfaError, nearestName} from '../../base/checks/index.ts'
import {counted, nameList, printableLine} from '../../base/text/index.ts'
import {indexAnchors, sharedMembers} from './anchor-index.ts'
import type {Anchor, Anchors} from './anchors.ts'
import {readFeatureName} from './feature-name.ts'
import {type LexiconReader, type SkippedAnchor, skippedLines, type TextOptions} from './lexicon.ts'
import type {WordSurvey} from './numbered-reader.ts'
import {fieldsOf} from './row-fields.ts'
import {byCodeUnit} from './surveys.ts'

/**
 * Find every anchor that cannot work: missing, shared by two concepts, never or always firing. One error names them all,
 * unless they are skipped: then a shared member is removed from every anchor that has it, and a concept without a
 * working anchor is dropped. Returns the anchors fit for learning, and the others with the reason.
 */
export function checkAnchors(
  {anchors, phrases, reading}: LexiconReader,
  survey: WordSurvey,
  features: () => Iterable<SeenFeature>,
  skipBadAnchors: boolean
): {readonly anchors: Anchors; readonly skipped: readonly SkippedAnchor[]} {
  const shared = sharedFeatures(anchors, phrases, reading)
  const skipped: SkippedAnchor[] = []
  const kept: Anchor[] = []
  let member = 0
  anchors.forEach((anchor, concept) => {
    const hits = anchor.any.map(() => survey.memberHits[member++])
    const faults = anchor.any.flatMap(name => shared[concept].get(name) ?? [])
    const hint = (name: string) => nameHint(name, reading, features())
    const firing = firingFault(anchor, survey.conceptHits[concept], survey.documentCount, hint)
    if (firing !== undefined) faults.push(firing)
    for (const reason of faults) skipped.push({concept: anchor.concept, reason})
    const any = anchor.any.filter((name, at) => hits[at] > 0 && !shared[concept].has(name))
    if (firing === undefined && any.length > 0)
      kept.push(faults.length === 0 ? anchor : {...anchor, any: anchor.any.filter(name => !shared[concept].has(name))})
  })
  if (skipped.length > 0 && !skipBadAnchors) throw badAnchors(skipped)
  if (kept.length === 0)
    throw new AdfaError(
      'bad-anchors',
      `no concept has a working anchor; at least one is needed${skippedLines(skipped)}`
    )
  return {anchors: kept, skipped}
}

/** The faults that anchors have whatever the documents: no member, or one that another concept has too. */
export function anchorFaults(anchors: Anchors, phrases: readonly string[], reading: TextOptions): SkippedAnchor[] {
  const shared = sharedFeatures(anchors, phrases, reading)
  return anchors.flatMap(({concept, any}, i) => {
    const reasons = any.every(name => name.trim() === '') ? [noAnchor] : [...shared[i].values()]
    return reasons.map(reason => ({concept, reason}))
  })
}

/** For each concept, the members that it shares with another, with the reason to refuse them. */
function sharedFeatures(anchors: Anchors, phrases: readonly string[], reading: TextOptions): Map<string, string>[] {
  const index = indexAnchors(anchors, phrases, reading)
  const names = anchors.flatMap(({any}) => any)
  const sharers = names.map(() => new Set<string>())
  for (const members of sharedMembers(index))
    for (const member of members)
      for (const other of members) sharers[member].add(anchors[index.memberConcepts[other]].concept)
  const found = anchors.map(() => new Map<string, string>())
  names.forEach((name, member) => {
    const i = index.memberConcepts[member]
    const others = [...sharers[member]].filter(concept => concept !== anchors[i].concept)
    if (others.length > 0)
      found[i].set(
        name,
        `member '${printableLine(name)}' is shared with ${others.map(concept => `"${concept}"`).join(', ')}; a member belongs to one concept alone; choose another or merge the concepts`
      )
  })
  return found
}

const noAnchor = 'it has no anchor at all; name at least one feature or remove the concept'

function firingFault(
  {any, not}: Anchor,
  hits: number,
  documents: number,
  hint: (name: string) => string | undefined
): string | undefined {
  if (any.length === 0) return noAnchor
  const shown = nameList(any)
  if (hits === documents) return `anchor ${shown} fires in every document; choose a rarer one`
  if (hits > 0) return undefined
  const absent = `anchor ${shown} does not occur in any of the ${counted(documents, 'document')}`
  const wayOut = 'check its spelling and field, choose another or remove the concept'
  // What is vetoed may well occur.
  if (not.length > 0) return `${absent} (or is vetoed by "not" wherever it occurs); ${wayOut}`
  return `${absent}; ${any.map(hint).find(found => found !== undefined) ?? wayOut}`
}

function badAnchors(skipped: readonly SkippedAnchor[]): AdfaError {
  const count = new Set(skipped.map(({concept}) => concept)).size
  return new AdfaError(
    'bad-anchors',
    `${counted(count, 'concept has', 'concepts have')} an anchor that cannot work:${skippedLines(skipped)}\n` +
      'fix them, or drop them with `skipBadAnchors`',
    {details: {skipped}}
  )
}

export interface SeenFeature {
  readonly name: string
  readonly documents: number
}

/** Shorter words have too many neighbours to guess what was meant. */
const LEAST_LETTERS = 4

/**
 * What may have been meant by a name that never occurs: the same word in another field (`home_meds:metformin` for
 * `metformin`), a field that does not exist, or a similar spelling with the same initial. Undefined for a regular expression, and where nothing
 * is near. Cost: O(features).
 */
export function nameHint(missing: string, reading: TextOptions, seen: Iterable<SeenFeature>): string | undefined {
  const {rest, pattern} = readFeatureName(missing, reading)
  if (pattern !== undefined) return undefined
  const word = rest.toLowerCase()
  const fields = fieldsOf(reading).fieldNames
  const features = [...seen]
  const [, prefix = '', inField = ''] = /^([^:]*\p{L}[^:]*):(.+)$/su.exec(missing) ?? []
  // Ready-made features may have prefixes of their own.
  const isField =
    ['', 'neg', 'votes', ...fields].includes(prefix) || features.some(({name}) => name.startsWith(`${prefix}:`))
  if (!isField) {
    const field = nearestName(prefix, reading.text) ?? reading.text[0]
    const others = field === undefined ? '' : ` or '${field}:${inField}'`
    return `there is no field "${prefix}"; write '${inField}'${others}`
  }
  const most = Math.floor(word.length / LEAST_LETTERS)
  const isNear = (other: string) =>
    other === word || (most > 0 && other[0] === word[0] && Math.abs(other.length - word.length) <= most)
  const found = features
    .filter(({name}) => name !== missing && isNear(bareWord(name, fields)))
    .sort((a, b) => b.documents - a.documents || byCodeUnit(a.name, b.name))
  const words = found.map(({name}) => bareWord(name, fields))
  const near = found[words.indexOf(nearestName(word, words) ?? '')]
  return near && `did you mean '${near.name}', which occurs in ${counted(near.documents, 'document')}?`
}

/** The feature without its field, or what stands before a colon in a ready-made name. */
function bareWord(name: string, fields: readonly string[]): string {
  const field = fields.find(prefix => name.startsWith(`${prefix}:`))
  const rest = field === undefined ? name.replace(/^[^:]*:(?=.)/, '') : name.slice(field.length + 1)
  return rest.toLowerCase()
}
