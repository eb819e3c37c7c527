import {createHash} from 'node:crypto'
import {AdfaError} from '../../base/checks/index.ts'
import {counted, nameList} from '../../base/text/index.ts'
import {anchorsWithRates} from '../../learn/model/index.ts'
import {FEWEST_LABELLED, type NoiseMethod} from '../../learn/noise/index.ts'
import {type Counts, countsFromBytes, isCountsFile} from '../../read/counts/index.ts'
import {type Anchors, type Lexicon, parseAnchors} from '../../read/data/index.ts'
import type {AnchorSource, KnownLabels} from '../../read/engines/index.ts'
import {readBinaryFile, readTextFile} from '../../read/files/index.ts'
import {isReleaseFile, type Protocol, parseProtocol, releaseFromBytes} from '../../read/pooling/index.ts'
import {parseLabelRows, parseLabels} from '../../use/labelling/index.ts'
import {type AnchorOptions, readModel, TOP_TAGS, usageError} from './common-options.ts'
import type {Output} from './output.ts'

/** Where anchors and words come from; for earlier counts also their labelled share and seed. */
export interface ResolvedAnchors {
  readonly source: AnchorSource
  readonly like?: {readonly labelShare: number; readonly seed: number}
}

/** Exactly one of --anchors, --anchors-from-tags, --like and --protocol. */
export async function resolveAnchors(options: AnchorOptions): Promise<ResolvedAnchors> {
  const {anchors, anchorsFromTags, like, protocol, topTags = TOP_TAGS} = options
  const given = [anchors, anchorsFromTags, like, protocol].filter(value => value !== undefined)
  if (given.length !== 1)
    throw usageError(
      `${given.length === 0 ? 'no anchors given' : 'anchors given in several ways'}; use exactly one of --anchors FILE, --anchors-from-tags FIELDS, --like FILE and (adfa count only) --protocol FILE`
    )
  if (anchors !== undefined) return {source: {kind: 'given', anchors: await readAnchors(anchors)}}
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
  return parseAnchors(await readTextFile(path), path)
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

/** The counts with the rates of an anchors file, whose anchors must include every counted feature. */
export function withRates(counts: Counts, given: Anchors, where: string): Counts {
  const byName = new Map(given.map(anchor => [anchor.concept, anchor]))
  const anchors = counts.lexicon.anchors.map(anchor => {
    const found = byName.get(anchor.concept)
    if (
      found === undefined ||
      !anchor.any.every(name => found.any.includes(name)) ||
      `${found.not}` !== `${anchor.not}`
    )
      throw new AdfaError(
        'mismatch',
        `${where}: its anchor for "${anchor.concept}" differs from the one that was counted; only rates may change; count the documents again`
      )
    return {...anchor, rates: found.rates}
  })
  return {...counts, lexicon: {...counts.lexicon, anchors}}
}

interface LabelsFile extends KnownLabels {
  /** Identifies the file in the job of a shard. */
  readonly fingerprint: string
  /** Reports labels that were not used, after counting. */
  check(lexicon: Lexicon, output: Output, isShard: boolean): void
}

/** With fewer whole documents, a handful of answers moves the rates of a concept by large factors. */
const FEW_LABELS = 50

export async function readLabels(path: string, noise?: NoiseMethod): Promise<LabelsFile> {
  const text = await readTextFile(path)
  const labels = parseLabels(text, path)
  const anchored = noise === 'labels' ? parseLabelRows(text, path).filter(({drawn}) => drawn === 'anchored').length : 0
  if (anchored > 0)
    throw usageError(
      `${path}: ${anchored} of its labels belong to documents drawn because an anchor fires; --noise labels needs documents drawn at random; use --noise auto, which handles both`
    )
  const found = new Set<string>()
  return {
    fingerprint: `labels ${createHash('sha256').update(text).digest('hex').slice(0, 16)}`,
    [Symbol.iterator]: () => labels[Symbol.iterator](),
    get(key) {
      const known = labels.get(key)
      if (known !== undefined) found.add(key)
      return known
    },
    check({anchors, skipped}, output, isShard) {
      // The other labelled documents are in other shards.
      if (found.size === 0 && !isShard)
        throw new AdfaError(
          'mismatch',
          `${path}: none of its ${labels.size} documents is among those counted; labels are matched by document id or, without ids, by a hash of the text and features read; give the documents that were labelled, and the same fields`
        )
      const known = new Set([...anchors, ...skipped].map(({concept}) => concept))
      const named = new Set([...labels.values()].flatMap(of => [...of.keys()]))
      const strangers = [...named].filter(name => !known.has(name))
      if (named.size > 0 && strangers.length === named.size)
        throw new AdfaError(
          'mismatch',
          `${path}: none of its concepts (${nameList(strangers, 3)}) has an anchor; give the anchors used for labelling`
        )
      if (strangers.length > 0)
        output.note(`${path}: labels of concepts without an anchor are not used: ${strangers.join(', ')}`)
      const whole = [...found].filter(key => labels.get(key)?.size === named.size).length
      if (whole < FEW_LABELS && !isShard)
        output.note(
          `${path}: ${counted(whole, 'document')} labelled in full ${whole === 1 ? 'is' : 'are'} too few for reliable rates, and below ${FEWEST_LABELLED} rates are estimated without labels; label 100 (adfa label)`
        )
      const missing = labels.size - found.size
      if (missing > 0 && !isShard)
        output.note(`${path}: ${missing} of ${labels.size} labelled documents are not among those counted`)
    }
  }
}
