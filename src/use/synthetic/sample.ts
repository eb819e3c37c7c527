import {AdfaError, checkOptions, whole} from '../../base/checks/index.ts'
import {directedNetwork, parentState, topologicalOrder} from '../../base/network/index.ts'
import {log, log1p, type Rng, randomIndex} from '../../base/numeric/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {Evidence} from '../../read/data/index.ts'

/**
 * Draws documents from a model by forward sampling: P(Y) in topological order, then words, then anchors.
 *
 * Words: a noisy-or word is on when its leak or a present concept switches it on. The leaks, and each concept, own a
 * row of lamps: lamp j, lit with probability c, is an interval of length -log(1 - c), and lamps lie end to end. A Poisson
 * process of rate 1 lights every lamp in whose interval it has a point: one exponential step per lit lamp finds them all,
 * in ascending order, and after a hit the process, being memoryless, continues from the interval's end.
 * Cost: O(m + n / 32 + ones) per document, after O(m n) once.
 *
 * Anchors: the united anchor of concept i fires with its true or false positive rate. One of its members, all equally
 * likely, fires; each other joins it with probability {@link furtherMemberChance}, whatever Y is. The paper does not
 * specify single members. Features that veto an anchor (`not`) are never drawn.
 *
 * Document k depends only on the seed and on k: block b of {@link blockSize} documents uses the stream `documents-b`. One
 * stream per document would be simpler, but among a million 32-bit seeds about a hundred would be twins.
 */

export const furtherMemberChance = 0.25
export const blockSize = 1024

/** The true tags of one document, and its evidence. */
export interface Sample {
  readonly y: Uint8Array
  readonly evidence: Evidence
}

/** Documents `first` .. `first + count - 1` of the sequence of `random`, however much was drawn from it. */
export function sampleModel(
  model: Model,
  count: number,
  random: Rng,
  {first = 0}: {readonly first?: number} = {}
): Generator<Sample, void, undefined> {
  checkOptions('sampleModel', {count, first}, {count: whole(0), first: whole(0)}, {})
  return drawRange(sampler(model), first, first + count, random)
}

function* drawRange(draw: (random: Rng) => Sample, first: number, end: number, random: Rng) {
  for (let block = Math.floor(first / blockSize); block * blockSize < end; block++) {
    const stream = random.stream(`documents-${block}`)
    const blockEnd = Math.min(end, (block + 1) * blockSize)
    for (let at = block * blockSize; at < blockEnd; at++) {
      const sample = draw(stream)
      if (at >= first) yield sample
    }
  }
}

/** Prepares `model`; the returned function draws one document. */
function sampler(model: Model): (random: Rng) => Sample {
  const {parents, cpt} = directedNetwork(model.network)
  const order = topologicalOrder(parents)
  if (order === undefined)
    throw new AdfaError('bad-model', 'the network of the model has a cycle; P(Y) needs a graph without one')
  const {conceptCount, wordCount, failure, leak} = model.loadings
  const leakLamps = lamps(wordCount, j => leak[j])
  const conceptLamps = Array.from({length: conceptCount}, (_, i) =>
    lamps(wordCount, j => 1 - failure[i * wordCount + j])
  )
  const bits = new Int32Array((wordCount + 31) >>> 5)
  const drawAnchors = anchorSampler(model)
  return random => {
    const y = new Uint8Array(conceptCount)
    for (const i of order) if (random.next() < cpt[i][parentState(parents[i], y)]) y[i] = 1
    light(leakLamps, random, bits)
    for (let i = 0; i < conceptCount; i++) if (y[i] === 1) light(conceptLamps[i], random, bits)
    const words = takeBits(bits)
    return {y, evidence: {words, ...drawAnchors(y, random)}}
  }
}

interface Lamps {
  readonly word: Int32Array
  /** Where the interval of each lamp ends; the first begins at 0. */
  readonly end: Float64Array
  /** The line in as many equal cells as there are lamps: the first lamp that overlaps each. */
  readonly guide: Int32Array
}

function lamps(wordCount: number, chanceOf: (j: number) => number): Lamps {
  const word = Int32Array.from({length: wordCount}, (_, j) => j).filter(j => chanceOf(j) > 0)
  let sum = 0
  const end = Float64Array.from(word, j => {
    // A certain word would be infinitely long; at 50 it is dark once in 5e21 documents.
    sum += Math.min(50, -log1p(-chanceOf(j)))
    return sum
  })
  let at = 0
  const guide = Int32Array.from(word, (_, cell) => {
    while (end[at] * word.length <= cell * sum) at++
    return at
  })
  return {word, end, guide}
}

function light({word, end, guide}: Lamps, random: Rng, bits: Int32Array): void {
  const length = word.length
  const total = length === 0 ? 0 : end[length - 1]
  const cells = length / total
  let position = 0
  while (true) {
    position -= log(1 - random.next())
    if (!(position < total)) return
    let at = guide[Math.min(length - 1, Math.floor(position * cells))]
    while (end[at] <= position) at++
    bits[word[at] >>> 5] |= 1 << (word[at] & 31)
    position = end[at]
  }
}

/** The numbers of the bits that are set, ascending; clears them. */
function takeBits(bits: Int32Array): number[] {
  const taken: number[] = []
  for (let at = 0; at < bits.length; at++) {
    let rest = bits[at]
    while (rest !== 0) {
      const lowest = rest & -rest
      taken.push(32 * at + 31 - Math.clz32(lowest))
      rest ^= lowest
    }
    bits[at] = 0
  }
  return taken
}

function anchorSampler({concepts, lexicon}: Model): (y: Uint8Array, random: Rng) => Omit<Evidence, 'words'> {
  const memberCount = lexicon.anchors.map(anchor => anchor.any.length)
  return (y, random) => {
    const anchors: number[] = []
    const members: number[] = []
    for (let i = 0, start = 0; i < concepts.length; start += memberCount[i++]) {
      const {truePositive, falsePositive} = concepts[i]
      if (random.next() >= (y[i] === 1 ? truePositive : falsePositive)) continue
      anchors.push(i)
      const fired = memberCount[i] === 1 ? 0 : randomIndex(random, memberCount[i])
      for (let at = 0; at < memberCount[i]; at++)
        if (at === fired || random.next() < furtherMemberChance) members.push(start + at)
    }
    return {anchors, members}
  }
}

/** A row of a JSON Lines file, with all its tags. */
export interface GeneratedDocument {
  readonly id: string
  readonly features: readonly string[]
  readonly tags: readonly string[]
}

/**
 * Documents `first` .. `first + count - 1` of {@link sampleModel} as rows: the anchor features that fired, in the order
 * of the concepts, then the words in ascending order. Ids count from 1 and begin with `options.generator` of the model
 * (`emergency-000001`), or with `document`.
 */
export function generateDocuments(
  model: Model,
  count: number,
  random: Rng,
  {first = 0}: {readonly first?: number} = {}
): Generator<GeneratedDocument, void, undefined> {
  checkFeatures(model)
  return rows(model, sampleModel(model, count, random, {first}), first)
}

function* rows(
  {concepts, lexicon, options}: Model,
  samples: ReturnType<typeof sampleModel>,
  first: number
): Generator<GeneratedDocument, void, undefined> {
  const members = lexicon.anchors.flatMap(anchor => anchor.any)
  const prefix = typeof options.generator === 'string' ? options.generator : 'document'
  let number = first
  for (const {y, evidence} of samples)
    yield {
      id: `${prefix}-${String(++number).padStart(6, '0')}`,
      features: [...evidence.members.map(at => members[at]), ...evidence.words.map(j => lexicon.words[j])],
      tags: concepts.filter((_, i) => y[i] === 1).map(concept => concept.name)
    }
}

/** A row must be read back as the evidence it was drawn from, so every feature must be plain and have one meaning. */
function checkFeatures({lexicon}: Model): void {
  const meaning = new Map(lexicon.words.map(word => [word, 'a word']))
  const refuse = (concept: string, feature: string, fault: string) =>
    new AdfaError(
      'bad-model',
      `concept "${concept}": its anchor feature "${feature}" ${fault}; a document must be read back as it was drawn; ` +
        'generate documents from a model whose anchors are plain feature names of their own'
    )
  for (const {concept, any} of lexicon.anchors) {
    for (const feature of any) {
      if (/^(?:[^/:]+:)?\/.+\/[a-z]*$/s.test(feature)) throw refuse(concept, feature, 'is a regular expression')
      const other = meaning.get(feature)
      if (other !== undefined) throw refuse(concept, feature, `is also ${other}`)
      meaning.set(feature, `an anchor of "${concept}"`)
    }
  }
  for (const {concept, not} of lexicon.anchors)
    for (const feature of not)
      if (meaning.has(feature)) throw refuse(concept, feature, `is a veto and also ${meaning.get(feature)}`)
}
