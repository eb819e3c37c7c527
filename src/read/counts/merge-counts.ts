import {AdfaError} from '../../base/checks/index.ts'
import {addCounts} from './add-counts.ts'
import {type Counts, type CountsHeader, comparePatterns, type PatternCount} from './counts.ts'
import {addShards} from './shards.ts'
import {requirePatterns} from './table-statement.ts'

/**
 * The exact sum of counts made with the same anchors, vocabulary and options; the order does not matter. Shards of a job
 * add up to counts that know which of them are missing. Errors call the parts by `names`, or by their place from 1.
 */
export function mergeCounts(parts: readonly Counts[], names?: readonly string[]): Counts {
  if (parts.length === 0) throw new AdfaError('bad-counts', 'there are no counts to merge; give at least one')
  for (const part of parts) requirePatterns(part, 'adding counts up')
  const [first] = parts
  parts.forEach((part, at) => {
    const difference = headerDifference(first, part)
    if (difference !== undefined)
      throw new AdfaError(
        'mismatch',
        `${names === undefined ? `counts 1 and ${at + 1}` : `${names[0]} and ${names[at]}`} differ in their ${difference}; counts add up only when made alike; count again with --like the first`
      )
  })
  const shards = addShards(parts, part => names?.[part] ?? `counts ${part + 1}`)
  return addCounts({...first, shards}, parts)
}

/** Add up neighbours of a sorted list that are the same pattern. */
export function addEqualPatterns(sorted: readonly PatternCount[]): PatternCount[] {
  const merged: PatternCount[] = []
  for (let from = 0; from < sorted.length; ) {
    let to = from + 1
    while (to < sorted.length && comparePatterns(sorted[from].members, sorted[to].members) === 0) to++
    merged.push(addPatterns(sorted.slice(from, to)))
    from = to
  }
  return merged
}

/** What makes two counts incomparable, in words, or undefined when they may be added. */
export function headerDifference(a: CountsHeader, b: CountsHeader): string | undefined {
  const same = (x: unknown, y: unknown) => JSON.stringify(x) === JSON.stringify(y)
  if (!same(a.protocol, b.protocol)) return `protocol (${protocolText(a)}, ${protocolText(b)})`
  if (!same(a.lexicon.anchors, b.lexicon.anchors)) return 'anchors'
  if (a.lexicon.text.negation !== b.lexicon.text.negation) return 'reading of negation (--negation)'
  if (!same(valueFields(a), valueFields(b)))
    return 'reading of categories, numbers and lists (--category, --number, --list)'
  if (!same(a.lexicon.words, b.lexicon.words)) return 'vocabulary'
  if (!same(a.lexicon, b.lexicon)) return 'text options, phrases or document filter'
  if (a.labelShare !== b.labelShare || a.seed !== b.seed) return 'share of labelled documents or seed'
  return undefined
}

function protocolText({protocol}: CountsHeader): string {
  return protocol === undefined ? 'none' : `"${protocol.name}" ${protocol.fingerprint}`
}

function valueFields({lexicon: {text}}: CountsHeader): unknown {
  return [text.categories, text.numbers, text.lists]
}

function addPatterns(same: readonly PatternCount[]): PatternCount {
  if (same.length === 1) return same[0]
  const sums = new Map<number, number>()
  for (const {wordIds, wordCounts} of same)
    for (let at = 0; at < wordIds.length; at++) sums.set(wordIds[at], (sums.get(wordIds[at]) ?? 0) + wordCounts[at])
  const wordIds = [...sums.keys()].sort((a, b) => a - b)
  return {
    members: same[0].members,
    documents: same.reduce((sum, {documents}) => sum + documents, 0),
    wordIds,
    wordCounts: wordIds.map(j => sums.get(j) ?? 0)
  }
}
