import {AdfaError} from '../../base/checks/index.ts'
import {exclusiveToJson, fieldsOf, type SkippedAnchor, skippedLines} from '../data/index.ts'
import {
  type Counts,
  type CountsHeader,
  CountsWriter,
  compareMembers,
  compareRows,
  type PatternCount,
  requirePatterns,
  type TablesHeader,
  unpackCounts
} from './counts.ts'
import {addShards} from './shards.ts'

/**
 * The exact sum of counts made with the same anchors, vocabulary and options, in any order. Shards of a job add up to
 * counts that record which are missing. Errors call the parts by `names`, or by their place from 1.
 */
export function mergeCounts(parts: readonly Counts[], names?: readonly string[]): Counts {
  if (parts.length === 0) throw new AdfaError('bad-counts', 'there are no counts to merge; give at least one')
  for (const part of parts) requirePatterns(part, 'adding counts up')
  checkAlike(parts, {names, kind: 'counts', remedy: 'count again with the lexicon of the first (adfa count --like)'})
  const [{lexicon, labelShare, seed, protocol}] = parts
  const shards = addShards(parts, part => names?.[part] ?? `counts ${part + 1}`)
  return sumCounts({lexicon, labelShare, seed, protocol, shards}, parts)
}

/** The sum of counts with the same anchors and words, which are known to add up. */
export function sumCounts(header: TablesHeader, parts: readonly Counts[]): Counts {
  if (parts.length === 0) return new CountsWriter(header).finish()
  const labelled = addLabelled(parts)
  const left = [...parts]
  // Always the first two: every pattern is copied as often as the logarithm of the number of parts.
  while (left.length > 1) left.push(addPatterns(header, left[0], left.splice(0, 2)[1]))
  return {...left[0], labelled}
}

/** The sum of two counts without their labels: both are in order, so that one pass over them suffices. */
export function addPatterns(header: TablesHeader, a: Counts, b: Counts): Counts {
  const writer = new CountsWriter(header, a.wordIds.length + b.wordIds.length)
  let [p, q] = [0, 0]
  while (p < a.patternCount && q < b.patternCount) {
    const order = compareRows(a, p, b, q)
    if (order < 0) writer.copyPattern(a, p++)
    else if (order > 0) writer.copyPattern(b, q++)
    else addPattern(writer, a, p++, b, q++)
  }
  while (p < a.patternCount) writer.copyPattern(a, p++)
  while (q < b.patternCount) writer.copyPattern(b, q++)
  return writer.finish()
}

function addPattern(writer: CountsWriter, a: Counts, p: number, b: Counts, q: number): void {
  let [at, other] = [a.wordStarts[p], b.wordStarts[q]]
  const [end, otherEnd] = [a.wordStarts[p + 1], b.wordStarts[q + 1]]
  while (at < end || other < otherEnd) {
    const id = at < end ? a.wordIds[at] : Number.POSITIVE_INFINITY
    const otherId = other < otherEnd ? b.wordIds[other] : Number.POSITIVE_INFINITY
    const count = id <= otherId ? a.wordCounts[at++] : 0
    writer.addWord(Math.min(id, otherId), count + (otherId <= id ? b.wordCounts[other++] : 0))
  }
  const documents = a.patternDocuments[p] + b.patternDocuments[q]
  writer.endPattern(a.members, a.memberStarts[p], a.memberStarts[p + 1], documents)
}

function addLabelled(parts: readonly Pick<Counts, 'labelled'>[]): Float64Array {
  const sum = parts[0].labelled.slice()
  for (const {labelled} of parts.slice(1)) for (let cell = 0; cell < sum.length; cell++) sum[cell] += labelled[cell]
  return sum
}

/**
 * What must be equal for counts to add up; the first that differs is named. The columns of ids and tags, and what separates the
 * items of a cell, only describe a file: documents mean the same whatever these are.
 */
function comparedParts({lexicon, labelShare, seed}: CountsHeader): readonly (readonly [name: string, part: unknown])[] {
  const {anchors, words, phrases, reading, filter, skipped} = lexicon
  const {id: _, tags: __, tagSeparator: ___, ...meaning} = reading
  const list = fieldsOf(reading).lists.map(({name}) => name)
  return [
    ['groups of exclusive concepts', exclusiveToJson(anchors)],
    ['anchors', anchors],
    ...Object.entries({...meaning, list}).map(([option, value]) => [`reading (\`${option}\`)`, value] as const),
    ['vocabulary', words],
    ['phrases or document filter', [phrases, filter, skipped]],
    ['share of labelled documents or seed', [labelShare, seed]]
  ]
}

/**
 * Refuses counts or releases that were made otherwise than the first: by their headers, or by what `others` finds. Errors call them
 * by `names`, or by their place from 1.
 */
export function checkAlike<T extends CountsHeader>(
  parts: readonly T[],
  {
    names,
    kind,
    remedy
  }: {readonly names: readonly string[] | undefined; readonly kind: string; readonly remedy: string},
  others: (a: T, b: T) => string | undefined = () => undefined
): void {
  for (const [at, part] of parts.entries()) {
    const difference = others(parts[0], part) ?? headerDifference(parts[0], part)
    if (difference === undefined) continue
    const which = names === undefined ? `${kind} 1 and ${at + 1}` : `${names[0]} and ${names[at]}`
    throw new AdfaError(
      'mismatch',
      `${which} differ in their ${difference}; they add up only when made alike; ${remedy}`
    )
  }
}

function headerDifference(a: CountsHeader, b: CountsHeader): string | undefined {
  const differs = (x: unknown, y: unknown) => JSON.stringify(x) !== JSON.stringify(y)
  if (differs(a.protocol, b.protocol)) return `protocol (${protocolText(a)}, ${protocolText(b)})`
  const others = new Map(comparedParts(b))
  return comparedParts(a).find(([name, part]) => differs(part, others.get(name)))?.[0]
}

function protocolText({protocol}: CountsHeader): string {
  return protocol === undefined ? 'none' : `"${protocol.name}" ${protocol.fingerprint}`
}

/** Counts from anchor patterns in any order; equal patterns are added up. */
export function countsFromPatterns(
  header: TablesHeader,
  patterns: Iterable<PatternCount>,
  labelled?: Float64Array
): Counts {
  const writer = new CountsWriter(header)
  const sorted = [...patterns].sort((a, b) => compareMembers(a.members, b.members))
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    const {members} = sorted[from]
    while (to < sorted.length && compareMembers(members, sorted[to].members) === 0) to++
    const {documents, wordIds, wordCounts} = to === from + 1 ? sorted[from] : sumPatterns(sorted.slice(from, to))
    for (let at = 0; at < wordIds.length; at++) writer.addWord(wordIds[at], wordCounts[at])
    writer.endPattern(members, 0, members.length, documents)
  }
  return writer.finish(labelled)
}

/** The sum of patterns with the same members. */
function sumPatterns(patterns: readonly PatternCount[]): Omit<PatternCount, 'members'> {
  const words = new Map<number, number>()
  for (const {wordIds, wordCounts} of patterns)
    for (let at = 0; at < wordIds.length; at++) words.set(wordIds[at], (words.get(wordIds[at]) ?? 0) + wordCounts[at])
  const ids = [...words.keys()].sort((a, b) => a - b)
  const documents = patterns.reduce((sum, pattern) => sum + pattern.documents, 0)
  return {documents, wordIds: ids, wordCounts: ids.map(id => words.get(id) ?? 0)}
}

/** The counts as if made without these concepts, except that the features of their anchors do not become words. */
export function dropConcepts(counts: Counts, dropped: readonly SkippedAnchor[]): Counts {
  const names = new Set(dropped.map(({concept}) => concept))
  const {anchors} = counts.lexicon
  const kept = [...anchors.keys()].filter(i => !names.has(anchors[i].concept))
  if (kept.length === 0) throw new AdfaError('bad-anchors', `no concept is left:${skippedLines(dropped)}`)
  let memberCount = 0
  const newMember = anchors.flatMap(({concept, any}) => any.map(() => (names.has(concept) ? -1 : memberCount++)))
  const patterns = Array.from(unpackCounts(counts), pattern => ({
    ...pattern,
    members: pattern.members.map(member => newMember[member]).filter(member => member >= 0)
  }))
  const skipped = [...counts.lexicon.skipped, ...dropped]
  const lexicon = {...counts.lexicon, anchors: kept.map(i => anchors[i]), skipped}
  const labelled = Float64Array.from(kept.flatMap(i => [...counts.labelled.subarray(4 * i, 4 * i + 4)]))
  return countsFromPatterns({...counts, lexicon}, patterns, labelled)
}
