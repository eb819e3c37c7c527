import {AdfaError} from '../../base/checks/index.ts'
import {counted, grouped, nameList, percent} from '../../base/text/index.ts'
import type {Lexicon} from '../../read/data/index.ts'
import {anchorHits, mostlyNegated} from '../../use/advice/index.ts'
import type {Output} from './output.ts'
import type {Input, InputOptions} from './read-input.ts'

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

/** Refuses to learn rates from tags of which none is a concept: every anchor would seem wrong. */
function refuseForeignTags({counts, documents}: Input, {noise}: InputOptions): void {
  if (documents === undefined || documents.labels !== undefined || counts.labelShare === 0) return
  const isPresent = (_: number, cell: number) => cell % 4 >= 2
  const tags = new Set(documents.sample.flatMap(row => row.tags ?? []))
  if (tags.size === 0 || counts.labelled.filter(isPresent).some(count => count > 0)) return
  throw foreignTags(
    tags,
    counts.lexicon,
    `learn without tags (${noise === 'labels' ? '--noise auto' : '--label-share 0'})`
  )
}

export function foreignTags(tags: Iterable<string>, {anchors}: Lexicon, wayOut: string): AdfaError {
  return new AdfaError(
    'bad-document',
    `no tag of the documents is a concept: the tags are ${nameList([...tags].sort())}; the concepts are ` +
      `${nameList(anchors.map(({concept}) => concept))}; give both the same spelling, name the column of tags (--tags), or ${wayOut}`
  )
}

/** Notes tags and labels of the documents that a fit could use and does not. */
export function noteUnused({counts, documents}: Input, {noise = 'auto', labels}: InputOptions, output: Output): void {
  const isSettled = labels !== undefined || counts.labelShare > 0 || noise !== 'auto'
  const {anchors} = counts.lexicon
  if (documents === undefined || isSettled || anchors.every(({rates}) => rates !== undefined)) return
  const names = new Set(anchors.map(({concept}) => concept))
  const known = documents.sample.filter(row => row.labels !== undefined || row.tags?.some(tag => names.has(tag)))
  if (known.length > 0)
    output.note(
      `${grouped(known.length)} of ${counted(documents.sample.length, 'document')} looked at ${known.length === 1 ? 'has' : 'have'} tags or labels, which are not used; --label-share 1 learns the rates from them`
    )
}
