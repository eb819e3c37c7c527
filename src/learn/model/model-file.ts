import {
  AdfaError,
  arrayAt,
  booleanAt,
  distinctAt,
  fieldsAt,
  fileKind,
  type JsonObject,
  numberAt,
  numbersAt,
  objectAt,
  parseJson,
  type ReadAt,
  shownValue,
  textAt
} from '../../base/checks/index.ts'
import {isPairNetwork, type Network} from '../../base/network/index.ts'
import {crc32} from '../../base/numeric/index.ts'
import {
  type Anchor,
  exclusiveToJson,
  parseAnchorEntry,
  readingFromJson,
  readingToJson,
  withExclusive
} from '../../read/data/index.ts'
import type {WordWeights} from '../robust/index.ts'
import {type Concept, composeModel, type Model, type WordModel} from './model.ts'

const FORMAT = 'adfa-model'
const VERSION = 5

/**
 * Returns the text of a model file: one line per part, concept and row, with numbers in full precision. Tables of concepts and words
 * are sparse: a row lists the index of a word and its number in turn, without failures of 1 and weights of 0.
 */
export function saveModel(model: Model): string {
  const file = toFile(model)
  const {format, version, ...rest} = file
  return `${layOut({format, version, checksum: checksum(file), ...rest}, 0)}\n`
}

/** Reads a model file; `where` names it in errors. A loaded model predicts exactly what the saved one does. */
export function loadModel(text: string, where: string): Model {
  const refuse = (fault: string, cause?: unknown) => new AdfaError('bad-model', `${where}: ${fault}`, {cause})
  let value: unknown
  try {
    value = parseJson(text)
  } catch (cause) {
    const kind = fileKind(text.slice(0, 100))
    if (kind !== undefined && kind !== 'a model')
      throw refuse(`not a model file: it holds ${kind}; give a file written by adfa fit`, cause)
    const hint = text.trimEnd().endsWith('}') ? '' : '; the file seems cut short'
    throw refuse(`not a model file (not valid JSON)${hint}; fit the model again`, cause)
  }
  if (typeof value !== 'object' || value === null || !('format' in value) || value.format !== FORMAT)
    throw refuse(`not a model file; expected "format": "${FORMAT}"; give a file written by adfa fit`)
  const {checksum: sum, ...file} = objectAt(value, 'the file')
  if (file.version !== VERSION)
    throw refuse(
      `version ${shownValue(file.version)} of the format, and this adfa reads version ${VERSION}; update adfa, or fit the model again`
    )
  if (sum !== undefined && sum !== checksum(file))
    throw refuse(
      'the file is damaged (its check sum is wrong); fit the model again, or, if you edited it by hand, delete its "checksum" line'
    )
  try {
    return composeModel(fromFile(file))
  } catch (cause) {
    if (cause instanceof AdfaError && cause.code === 'bad-model') throw refuse(cause.message, cause)
    throw refuse(`a part of the model is missing or malformed (${(cause as Error).message}); fit it again`, cause)
  }
}

function toFile(model: Model): JsonObject {
  const {concepts, network, loadings, lexicon, wordModel, unshownWords, seed, options, certificate} = model
  const {anchors, words, ...reading} = lexicon
  const n = words.length
  const exclusive = exclusiveToJson(anchors)
  return {
    format: FORMAT,
    version: VERSION,
    seed,
    options,
    certificate,
    reading: readingToJson(reading),
    concepts: concepts.map(({name, truePositive, falsePositive, prevalence}, i) => {
      const {any, not} = anchors[i]
      return {name, anchors: any, ...(not.length > 0 && {not}), truePositive, falsePositive, prevalence}
    }),
    exclusive: exclusive.length > 0 ? exclusive : undefined,
    network: networkToJson(network, concepts),
    words,
    unshownWords,
    leak: [...loadings.leak],
    failure: concepts.map((_, i) => sparseRow(loadings.failure.subarray(i * n, (i + 1) * n), 1)),
    wordModel: wordModelToJson(wordModel)
  }
}

function fromFile(file: JsonObject): Model {
  const words = distinctAt(file.words, 'words')
  const n = words.length
  const entries = arrayAt(file.concepts, 'concepts', readConcept)
  const concepts = entries.map(({concept}) => concept)
  const anchors = entries.map(({anchor}) => anchor)
  const {unshownWords, exclusive} = file
  return {
    concepts,
    network: readNetwork(file.network, concepts),
    loadings: {
      conceptCount: concepts.length,
      wordCount: n,
      failure: Float64Array.from(
        rowsAt(file.failure, 'failure', concepts.length, (row, place) => fullRow(row, place, n, 1)).flat()
      ),
      leak: numbersAt(file.leak, 'leak', n)
    },
    wordModel: readWordModel(file.wordModel, anchors, n),
    lexicon: {
      ...readingFromJson(file.reading, 'reading'),
      words,
      anchors: exclusive === undefined ? anchors : withExclusive(anchors, exclusive)
    },
    ...(unshownWords !== undefined && {unshownWords: [...numbersAt(unshownWords, 'unshownWords')]}),
    seed: numberAt(file.seed, 'seed'),
    options: objectAt(file.options, 'options'),
    certificate: objectAt(file.certificate, 'certificate')
  }
}

function readConcept(value: unknown, place: string): {concept: Concept; anchor: Anchor} {
  const entry = objectAt(value, place)
  const name = textAt(entry.name, `${place}.name`)
  return {
    concept: {name, ...fieldsAt(entry, place, ['truePositive', 'falsePositive', 'prevalence'], numberAt)},
    anchor: parseAnchorEntry(name, {
      any: distinctAt(entry.anchors, `${place}.anchors`),
      not: distinctAt(entry.not ?? [], `${place}.not`)
    })
  }
}

/** Returns a network of pairs as rows of the lower triangle, and a Bayesian network as one entry per concept. */
function networkToJson(network: Network, concepts: readonly Concept[]): unknown {
  if (!isPairNetwork(network))
    return concepts.map(({name}, i) => ({
      concept: name,
      parents: network.parents[i].map(k => concepts[k].name),
      probabilities: [...network.cpt[i]]
    }))
  const m = concepts.length
  const rows = (values: Float64Array) => concepts.map((_, i) => [...values.subarray(i * m, i * m + i)])
  const {biases, couplings, low, high, required} = network
  return {
    kind: 'pairs',
    biases: [...biases],
    couplings: rows(couplings),
    low: rows(low),
    high: rows(high),
    ...(required && {required: required.map(pair => pair.map(i => concepts[i].name))})
  }
}

function readNetwork(value: unknown, concepts: readonly Concept[]): Network {
  const numbers = new Map(concepts.map(({name}, i) => [name, i]))
  const numberOf = (name: unknown, place: string) => {
    const i = numbers.get(textAt(name, place))
    if (i === undefined) throw new Error(`${place} names "${name}", which is not a concept`)
    return i
  }
  if (!Array.isArray(value)) return readPairs(objectAt(value, 'network'), concepts, numberOf)
  const parents: number[][] = concepts.map(() => [])
  const cpt: Float64Array[] = concepts.map(() => new Float64Array(0))
  arrayAt(value, 'network', (entry, place) => {
    const node = objectAt(entry, place)
    const i = numberOf(node.concept, `${place}.concept`)
    parents[i] = arrayAt(node.parents, `${place}.parents`, numberOf)
    cpt[i] = numbersAt(node.probabilities, `${place}.probabilities`)
  })
  return {parents, cpt}
}

function readPairs(network: JsonObject, concepts: readonly Concept[], numberOf: ReadAt<number>): Network {
  if (network.kind !== 'pairs') throw new Error(`network.kind must be "pairs", not ${shownValue(network.kind)}`)
  const m = concepts.length
  const square = (name: 'couplings' | 'low' | 'high', diagonal: number) => {
    const values = new Float64Array(m * m).fill(diagonal)
    const rows = rowsAt(network[name], `network.${name}`, m, (row, place, i) => numbersAt(row, place, i))
    for (const [i, row] of rows.entries())
      for (const [k, number] of row.entries()) values[i * m + k] = values[k * m + i] = number
    return values
  }
  const pairAt = (pair: unknown, place: string) => {
    const [i, k, ...rest] = arrayAt(pair, place, numberOf)
    if (k === undefined || i === k || rest.length > 0) throw new Error(`${place} must name two concepts`)
    return [i, k] as const
  }
  return {
    prevalence: Float64Array.from(concepts, ({prevalence}) => prevalence),
    couplings: square('couplings', 0),
    low: square('low', 1),
    high: square('high', 1),
    biases: numbersAt(network.biases, 'network.biases', m),
    ...(network.required !== undefined && {required: arrayAt(network.required, 'network.required', pairAt)})
  }
}

/** Computes the checksum of the values, not of their layout, so that the file may be formatted again. */
function checksum(file: JsonObject): string {
  return crc32(new TextEncoder().encode(JSON.stringify(file)))
    .toString(16)
    .padStart(8, '0')
}

/** Returns JSON text with one line per entry of the file and of its objects, and per item of lists that hold objects or lists. */
function layOut(value: unknown, depth: number): string {
  const isList = Array.isArray(value)
  if (isList && typeof value[0] === 'object') return `[\n${value.map(row => JSON.stringify(row)).join(',\n')}\n]`
  if (isList || typeof value !== 'object' || value === null || depth > 1) return JSON.stringify(value)
  const parts = Object.entries(value).filter(([, part]) => part !== undefined)
  const lines = parts.map(([name, part]) => `${JSON.stringify(name)}: ${layOut(part, depth + 1)}`)
  return `{\n${lines.join(',\n')}\n}`
}

function readWordModel(value: unknown, anchors: readonly Anchor[], n: number): WordModel {
  const wordModel = objectAt(value, 'wordModel')
  const {kind, threshold} = wordModel
  if (kind === 'noisy-or')
    return {kind, ...(threshold !== undefined && {threshold: numberAt(threshold, 'wordModel.threshold')})}
  if (kind !== 'weights') throw new Error(`wordModel.kind must be "noisy-or" or "weights", not ${shownValue(kind)}`)
  return readWeights(wordModel, anchors, n)
}

/** Reads word weights. Each part must be of the size that the concepts, the words and the members of anchors imply. */
function readWeights(value: JsonObject, anchors: readonly Anchor[], n: number): WordWeights {
  const place = 'wordModel'
  const m = anchors.length
  const {source} = objectAt(value.certificate, `${place}.certificate`)
  if (source !== 'documents' && source !== 'counts')
    throw new Error(`${place}.certificate.source must be "documents" or "counts", not ${shownValue(source)}`)
  fieldsAt(value, place, ['silent', 'fired', 'hidden'], (list, at) => numbersAt(list, at, m))
  fieldsAt(value, place, ['firedShare', 'threshold'], numberAt)
  fieldsAt(value.scale, `${place}.scale`, ['typical', 'usualIdf'], numberAt)
  fieldsAt(value.scale, `${place}.scale`, ['idf'], (list, at) => numbersAt(list, at, n))
  const checkMembers = (rows: unknown, at: string) =>
    rows !== undefined && rowsAt(rows, at, m, (row, rowAt, i) => numbersAt(row, rowAt, anchors[i].any.length))
  fieldsAt(value, place, ['members'], checkMembers)
  fieldsAt(value.certificate, `${place}.certificate`, ['memberPrecisions', 'memberDocuments'], checkMembers)
  if (value.votes !== undefined) arrayAt(value.votes, `${place}.votes`, (votes, at) => checkVotes(votes, at, anchors))
  const full = (table: unknown, name: string) =>
    rowsAt(table, `${place}.${name}`, m, (row, at) => fullRow(row, at, n, 0))
  const read = {...value, weights: full(value.weights, 'weights')} as unknown as WordWeights
  return value.errors === undefined ? read : {...read, errors: full(value.errors, 'errors')}
}

/** Refuses votes that do not have a row per member of their classes, with a number for each class. */
function checkVotes(value: unknown, place: string, anchors: readonly Anchor[]): void {
  const {concepts, weights, silent, isFunction} = objectAt(value, place)
  const classes = arrayAt(concepts, `${place}.concepts`, numberAt)
  const voters = classes.flatMap(i => anchors[i].any)
  rowsAt(weights, `${place}.weights`, voters.length, (row, at) => numbersAt(row, at, classes.length))
  rowsAt(isFunction, `${place}.isFunction`, voters.length, booleanAt)
  numbersAt(silent, `${place}.silent`, classes.length)
}

function wordModelToJson(wordModel: WordModel): object {
  if (wordModel.kind === 'noisy-or') return wordModel
  const {weights, errors} = wordModel
  return {
    ...wordModel,
    weights: weights.map(row => sparseRow(row, 0)),
    ...(errors && {errors: errors.map(row => sparseRow(row, 0))})
  }
}

/** Reads a list of `count` rows; `read` also gets the index of the row. */
function rowsAt<T>(
  value: unknown,
  place: string,
  count: number,
  read: (row: unknown, place: string, index: number) => T
): T[] {
  const rows = arrayAt(value, place, row => row)
  if (rows.length !== count) throw new Error(`${place} must have ${count} rows, not ${rows.length}`)
  return rows.map((row, index) => read(row, `${place}[${index}]`, index))
}

/** Returns the indices at which a row differs from `background`, each followed by the row's number there. */
function sparseRow(row: ArrayLike<number>, background: number): number[] {
  const found: number[] = []
  for (let j = 0; j < row.length; j++) if (row[j] !== background) found.push(j, row[j])
  return found
}

/** Reads a row written by {@link sparseRow}. */
function fullRow(value: unknown, place: string, n: number, background: number): number[] {
  const row = new Array<number>(n).fill(background)
  const entries = arrayAt(value, place, numberAt)
  let last = -1
  for (let at = 0; at < entries.length; at += 2) {
    const j = entries[at]
    if (!(Number.isInteger(j) && j > last && j < n && at + 1 < entries.length))
      throw new Error(`${place} must list words below ${n} in ascending order, each with its number`)
    row[j] = entries[at + 1]
    last = j
  }
  return row
}
