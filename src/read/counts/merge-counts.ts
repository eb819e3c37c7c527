import {AdfaError} from '../../base/checks/index.ts'
import {exclusiveToJson, lexiconMeaning} from '../data/index.ts'
import {type CompactCounts, compactCounts, countsOfRun, expandCounts} from './compact-counts.ts'
import type {Counts, CountsHeader} from './counts.ts'
import {mergeRuns} from './merge-runs.ts'
import {sizesOf} from './pattern-bytes.ts'
import {ownMemory} from './runs.ts'
import {addShards} from './shards.ts'
import {requirePatterns} from './table-statement.ts'

/**
 * The exact sum of counts made with the same anchors, vocabulary and options, in any order. Shards of a job add up to
 * counts that record which are missing. Errors call the parts by `names`, or by their place from 1.
 */
export function mergeCounts(parts: readonly Counts[], names?: readonly string[]): Counts {
  for (const part of parts) requirePatterns(part, 'adding counts up')
  return expandCounts(mergeCompact(parts.map(compactCounts), names))
}

/** {@link mergeCounts} of compact counts in memory. */
export function mergeCompact(parts: readonly CompactCounts[], names?: readonly string[]): CompactCounts {
  if (parts.length === 0) throw new AdfaError('bad-counts', 'there are no counts to merge; give at least one')
  const [first] = parts
  parts.forEach((part, at) => {
    const difference = headerDifference(first, part)
    if (difference === undefined) return
    const which = names === undefined ? `counts 1 and ${at + 1}` : `${names[0]} and ${names[at]}`
    throw new AdfaError(
      'mismatch',
      `${which} differ in their ${difference}; counts add up only when made alike; count again with the lexicon of the first (adfa count --like)`
    )
  })
  const {lexicon, labelShare, seed, protocol} = first
  const shards = addShards(parts, part => names?.[part] ?? `counts ${part + 1}`)
  const runs = parts.map(({run}) => run)
  const run = runs.length === 1 ? runs[0] : mergeRuns(sizesOf(lexicon), runs, ownMemory)
  return countsOfRun({lexicon, labelShare, seed, protocol, shards}, run, addLabelled(parts))
}

/** The sum of labelled documents. */
export function addLabelled(parts: readonly Pick<Counts, 'labelled'>[]): Float64Array {
  const sum = parts[0].labelled.slice()
  for (const {labelled} of parts.slice(1)) for (let cell = 0; cell < sum.length; cell++) sum[cell] += labelled[cell]
  return sum
}

/** What must be equal for counts to add up; the first that differs is named. */
const COMPARED: readonly (readonly [name: string, part: (header: CountsHeader) => unknown])[] = [
  ['groups of exclusive concepts', ({lexicon}) => exclusiveToJson(lexicon.anchors)],
  ['anchors', ({lexicon}) => lexicon.anchors],
  ['reading of negation (`negation`)', ({lexicon}) => lexicon.text.negation],
  ['scope of negation (`negationScope`)', ({lexicon}) => lexicon.text.negationScope],
  [
    'reading of categories, numbers, lists and votes (`categories`, `numbers`, `lists`, `votes`)',
    ({lexicon: {text}}) => [text.categories, text.numbers, text.lists, text.votes]
  ],
  ['separator of list items in a cell (`separator`)', ({lexicon}) => lexicon.text.separator],
  ['vocabulary', ({lexicon}) => lexicon.words],
  ['text options, phrases or document filter', ({lexicon}) => lexiconMeaning(lexicon)],
  ['share of labelled documents or seed', ({labelShare, seed}) => [labelShare, seed]]
]

/** What makes two counts incomparable, or undefined when they add up. */
export function headerDifference(a: CountsHeader, b: CountsHeader): string | undefined {
  const differs = (x: unknown, y: unknown) => JSON.stringify(x) !== JSON.stringify(y)
  if (differs(a.protocol, b.protocol)) return `protocol (${protocolText(a)}, ${protocolText(b)})`
  return COMPARED.find(([, part]) => differs(part(a), part(b)))?.[0]
}

function protocolText({protocol}: CountsHeader): string {
  return protocol === undefined ? 'none' : `"${protocol.name}" ${protocol.fingerprint}`
}
