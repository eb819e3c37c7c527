import {createHash} from 'node:crypto'
import {AdfaError, nearestNames} from '../../base/checks/index.ts'
import {counted, nameList, printableLine} from '../../base/text/index.ts'
import {anchorsWithRates} from '../../learn/model/index.ts'
import {FEWEST_LABELLED, type NoiseMethod} from '../../learn/noise/index.ts'
import {type Counts, countsFromBytes, isCountsFile} from '../../read/counts/index.ts'
import {type Anchors, against, anchorRule, parseAnchors, readVote} from '../../read/data/index.ts'
import type {AnchorSource, KnownLabels} from '../../read/engines/index.ts'
import {readBinaryFile, readTextFile} from '../../read/files/index.ts'
import {isReleaseFile, type Protocol, parseProtocol, releaseFromBytes} from '../../read/pooling/index.ts'
import {checkLabels, type LabelMatch, type LabelRow, parseLabelRows} from '../../use/labelling/index.ts'
import {checkedLabels, heldText, labelsText, TOP_TAGS} from '../project/index.ts'
import {type ReadingOptions, readModel, usageError} from './common-options.ts'
import type {Output} from './output.ts'

/** Where anchors and words come from; for earlier counts also their labelled share and seed. */
export interface ResolvedAnchors {
  readonly source: AnchorSource
  readonly like?: {readonly labelShare: number; readonly seed: number}
}

/** At most one of --anchors, --anchors-from-tags, --like and --protocol; without any, the votes of the documents. */
export async function resolveAnchors(options: ReadingOptions): Promise<ResolvedAnchors> {
  const {anchors, anchorsFromTags, like, protocol, topTags = TOP_TAGS} = options
  const given = [anchors, anchorsFromTags, like, protocol].filter(value => value !== undefined)
  if (given.length > 1)
    throw usageError(
      'anchors given in several ways; use exactly one of --anchors FILE, --anchors-from-tags FIELDS, --like FILE and (adfa count only) --protocol FILE'
    )
  if (given.length === 0) return {source: {kind: 'votes', classes: undefined}}
  if (anchors !== undefined) return {source: anchorRule(await readAnchors(anchors))}
  if (anchorsFromTags !== undefined) return {source: {kind: 'tags', fields: anchorsFromTags, topTags}}
  if (protocol !== undefined) {
    const {lexicon, labelShare, seed} = await readProtocol(protocol)
    return {source: {kind: 'lexicon', lexicon}, like: {labelShare, seed}}
  }
  return readLike(String(like))
}

export async function readProtocol(path: string): Promise<Protocol> {
  return parseProtocol(await readTextFile(path), path)
}

export async function readAnchors(path: string): Promise<Anchors> {
  return parseAnchors(heldText(await readTextFile(path), 'anchors'), path)
}

async function readLike(path: string): Promise<ResolvedAnchors> {
  const bytes = await readBinaryFile(path)
  if (isCountsFile(bytes) || isReleaseFile(bytes)) {
    const read = isReleaseFile(bytes) ? releaseFromBytes : countsFromBytes
    const {lexicon, labelShare, seed} = read(bytes, path)
    return {source: {kind: 'lexicon', lexicon}, like: {labelShare, seed}}
  }
  const model = await readModel(path)
  return {source: {kind: 'lexicon', lexicon: {...model.lexicon, anchors: anchorsWithRates(model)}}}
}

/** The counts with the rates and groups of an anchors file, whose anchors must include every counted feature. */
export function withRates(counts: Counts, given: Anchors, where: string): Counts {
  const byName = new Map(given.map(anchor => [anchor.concept, anchor]))
  const anchors = counts.lexicon.anchors.map(anchor => {
    const found = byName.get(anchor.concept)
    if (
      found === undefined ||
      (found.any.length > 0 && !anchor.any.every(name => found.any.includes(name))) ||
      `${found.not}` !== `${anchor.not}`
    )
      throw new AdfaError(
        'mismatch',
        `${where}: its anchor for "${anchor.concept}" differs from the one that was counted; only rates and "$exclusive" may change; count the documents again`
      )
    const {exclusive: _, ...counted} = anchor
    return {...counted, rates: found.rates, ...(found.exclusive && {exclusive: found.exclusive})}
  })
  return {...counts, lexicon: {...counts.lexicon, anchors}}
}

/** Notes which classes have votes but are not concepts. */
export function noteVotes({lexicon: {anchors, words}}: Counts, output: Output): void {
  const names = anchors.map(({concept}) => concept)
  const isKnown = (name: string) => ['true', 'false', ...names, ...names.map(against)].includes(name)
  const voted = [...new Set(words.flatMap(word => readVote(word)?.vote ?? []))].filter(name => !isKnown(name))
  if (voted.length === 0) return
  const [pair] = voted.flatMap(name => nearestNames(name, names, 1).map(near => [near, name].map(printableLine)))
  const meant = pair === undefined ? '' : `; did you mean "${pair[0]}" by "${pair[1]}"?`
  output.note(`votes for ${nameList(voted, 5)} are ordinary words, since no concept has this name${meant}`)
}

export interface LabelsFile extends KnownLabels {
  readonly rows: readonly LabelRow[]
  /** Identifies the file in the job of a shard. */
  readonly fingerprint: string
  /** Reports labels that were not used, after counting. */
  check(counts: LabelMatch['counts'], output: Output, isShard: boolean): void
}

/** With fewer whole documents, a handful of answers moves the rates of a concept by large factors. */
const FEW_LABELS = 50

/** A labels file, or the labels that a project holds. */
export async function readLabels(path: string, noise?: NoiseMethod): Promise<LabelsFile> {
  const {text, where} = labelsText(await readTextFile(path), path)
  const rows = parseLabelRows(text, where)
  const labels = checkedLabels(rows, noise, path)
  const found = new Set<string>()
  return {
    rows,
    fingerprint: `labels ${createHash('sha256').update(text).digest('hex').slice(0, 16)}`,
    [Symbol.iterator]: () => labels[Symbol.iterator](),
    get(key) {
      const known = labels.get(key)
      if (known !== undefined) found.add(key)
      return known
    },
    check(counts, output, isShard) {
      const strangers = checkLabels(labels, {counts, found, where: path, isShard})
      if (strangers.length > 0)
        output.note(`${path}: labels of concepts without an anchor are not used: ${strangers.join(', ')}`)
      if (isShard) return
      const named = new Set([...labels.values()].flatMap(of => [...of.keys()]))
      const whole = [...found].filter(key => labels.get(key)?.size === named.size).length
      if (whole < FEW_LABELS)
        output.note(
          `${path}: ${counted(whole, 'document')} labelled in full ${whole === 1 ? 'is' : 'are'} too few for reliable rates, and below ${FEWEST_LABELLED} rates are estimated without labels; label 100 (adfa label)`
        )
      const missing = labels.size - found.size
      if (missing > 0)
        output.note(
          `${path}: ${missing} of ${counted(labels.size, 'labelled document')} ${missing === 1 ? 'is' : 'are'} not among those counted`
        )
    }
  }
}
