import {AdfaError} from '../../base/checks/index.ts'
import {counted, grouped, nameList, percent} from '../../base/text/index.ts'
import {type Lexicon, StrayTags} from '../../read/data/index.ts'
import {anchorHits, mostlyNegated} from '../../use/advice/index.ts'
import type {Output} from './output.ts'
import type {Input, InputOptions} from './read-input.ts'

/** Tags that may spell a concept otherwise, in an error. */
const NAMED_TAGS = 3
/** Documents in which negated words are counted before a fit: enough to see what most hits are. */
const LOOKED_AT = 1000

/** Stops a fit where its documents leave something for a person to decide. */
export function refuseUndecided(input: Input, options: InputOptions): void {
  if (options.negation === undefined && options.like === undefined) refuseNegated(input)
  refuseForeignTags(input, options)
}

/** Refuses anchors that fire mostly on negated words ("no effusion"). */
function refuseNegated({counts, documents}: Input): void {
  const sample = documents?.sample ?? []
  const step = Math.ceil(sample.length / LOOKED_AT)
  const looked = sample.filter((_, at) => at % step === 0)
  const found = mostlyNegated(anchorHits(counts.lexicon, looked))
  if (found.length === 0) return
  const lines = found.map(
    ({concept, documents, negated, examples}) =>
      `  ${concept}: ${percent(negated / documents)} of ${counted(documents, 'hit')} looked at, such as ${nameList(examples)}`
  )
  throw new AdfaError(
    'bad-anchors',
    `most hits of ${nameList(found.map(({concept}) => concept))} are negated; nothing was written\n${lines.join('\n')}\n` +
      'Read negated words apart, so that they fire no anchor, with --negation; or keep these hits with --no-negation (in adfa.json, "negation": true or false)',
    {details: {concepts: found.map(({concept}) => concept)}}
  )
}

/** Refuses tags of which none is a concept: whether they mean concepts by other names or something else, a person knows. */
function refuseForeignTags({counts, documents}: Input, {noise = 'auto', labelShare}: InputOptions): void {
  if (documents === undefined || documents.labels !== undefined || labelShare === 0) return
  if (counts.labelShare === 0 && isSettled(counts, noise)) return
  const isPresent = (_: number, cell: number) => cell % 4 >= 2
  const tags = new Set(documents.sample.flatMap(row => row.tags ?? []))
  const names = counts.lexicon.anchors.map(({concept}) => concept)
  if (
    tags.size === 0 ||
    counts.labelled.filter(isPresent).some(count => count > 0) ||
    names.some(name => tags.has(name))
  )
    return
  throw foreignTags(
    tags,
    counts.lexicon,
    `continue without tags (${noise === 'labels' ? '--noise auto' : '--label-share 0'})`
  )
}

/** Tells whether tags would change no rates. */
function isSettled({lexicon}: Input['counts'], noise: string): boolean {
  return noise !== 'auto' || lexicon.anchors.every(({rates}) => rates !== undefined)
}

export function foreignTags(tags: Iterable<string>, lexicon: Lexicon, wayOut: string): AdfaError {
  const sorted = [...tags].sort()
  const stray = new StrayTags(lexicon)
  stray.add({tags: sorted})
  return new AdfaError(
    'bad-document',
    `no tag of the documents is a concept: the tags are ${nameList(sorted)}; the concepts are ` +
      `${nameList(lexicon.anchors.map(({concept}) => concept))}; give both the same spelling, name the column of tags (--tags), or ${wayOut}` +
      stray
        .notes()
        .slice(0, NAMED_TAGS)
        .map(note => `; ${note}`)
        .join('')
  )
}

/** Notes tags and labels of the documents that a fit could use and does not. */
export function noteUnused({counts, documents}: Input, {noise = 'auto', labels}: InputOptions, output: Output): void {
  if (documents === undefined || labels !== undefined || counts.labelShare > 0 || isSettled(counts, noise)) return
  const names = new Set(counts.lexicon.anchors.map(({concept}) => concept))
  const known = documents.sample.filter(row => row.labels !== undefined || row.tags?.some(tag => names.has(tag)))
  if (known.length > 0)
    output.note(
      `${grouped(known.length)} of ${counted(documents.sample.length, 'document')} looked at ${known.length === 1 ? 'has' : 'have'} labels or tags that are concepts, which are not used; --label-share 1 learns the rates from them`
    )
}
