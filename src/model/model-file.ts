import {type Lexicon, textDefaults} from '../data/index.ts'
import {AdfaError, crc32} from '../numeric/index.ts'
import type {Model} from './model.ts'
import {validateModel} from './validate-model.ts'

const FORMAT = 'adfa-model'
const VERSION = 1

/** The model file (PRODUCT.md, Contract), beside which `reading` says how documents were read, as parsed JSON. */
interface ModelFile {
  readonly format: string
  readonly version: number
  readonly seed: number
  readonly options: Readonly<Record<string, unknown>>
  readonly certificate: Readonly<Record<string, unknown>>
  readonly reading: Pick<Lexicon, 'phrases' | 'text' | 'skipped'> & {readonly filter?: Lexicon['filter']}
  readonly latents: readonly {
    readonly name: string
    readonly anchors: readonly string[]
    readonly not?: readonly string[]
    readonly truePositive: number
    readonly falsePositive: number
    readonly prevalence: number
  }[]
  readonly network: readonly {latent: string; parents: readonly string[]; probabilities: readonly number[]}[]
  readonly words: readonly string[]
  readonly leak: readonly number[]
  readonly failure: readonly (readonly number[])[]
  readonly channel: Model['channel']
}

/** The model as the text of its file: one line for each part and each concept, numbers in full precision. */
export function saveModel(model: Model): string {
  const file = toFile(model)
  const lines = Object.entries(file).map(([key, value]) => `${JSON.stringify(key)}: ${layOut(key, value)}`)
  return `{\n${lines.join(',\n')},\n"checksum": "${checksum(file)}"\n}\n`
}

/** Read a model file; `where` names it in errors. A loaded model predicts exactly as the saved one. */
export function loadModel(text: string, where: string): Model {
  const refuse = (fault: string) => new AdfaError('bad-model', `${where}: ${fault}`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    const hint = text.trimEnd().endsWith('}') ? '' : '; the file seems cut short'
    throw new AdfaError('bad-model', `${where}: not a model file (not valid JSON)${hint}; fit the model again`, {cause})
  }
  if (typeof value !== 'object' || value === null || !('format' in value) || value.format !== FORMAT)
    throw refuse(`not a model file; expected "format": "${FORMAT}"; give a file written by adfa fit`)
  const {checksum: sum, ...file} = value as ModelFile & {checksum?: string}
  if (!(file.version <= VERSION))
    throw refuse(
      `written by a newer adfa (version ${file.version} of the format, this one reads ${VERSION}); update adfa`
    )
  if (sum !== undefined && sum !== checksum(file))
    throw refuse(
      'the file is damaged (its check sum is wrong); fit the model again, or, if you edited it by hand, delete its "checksum" line'
    )
  let model: Model
  try {
    model = fromFile(file)
  } catch (cause) {
    throw new AdfaError(
      'bad-model',
      `${where}: a part of the model is missing or malformed (${(cause as Error).message}); fit it again`,
      {cause}
    )
  }
  validateModel(model, where)
  return model
}

function toFile({latents, network, loadings, lexicon, channel, seed, options, certificate}: Model): ModelFile {
  const {anchors, words, phrases, text, filter, skipped} = lexicon
  const n = words.length
  return {
    format: FORMAT,
    version: VERSION,
    seed,
    options,
    certificate,
    reading: {text, phrases, ...(filter === undefined ? {} : {filter}), skipped},
    latents: latents.map(({name, truePositive, falsePositive, prevalence}, i) => {
      const {any, not} = anchors[i]
      return {name, anchors: any, ...(not.length > 0 ? {not} : {}), truePositive, falsePositive, prevalence}
    }),
    network: latents.map(({name}, i) => ({
      latent: name,
      parents: network.parents[i].map(k => latents[k].name),
      probabilities: [...network.cpt[i]]
    })),
    words,
    leak: [...loadings.leak],
    failure: latents.map((_, i) => [...loadings.failure.subarray(i * n, (i + 1) * n)]),
    channel
  }
}

function fromFile(file: ModelFile): Model {
  const names = new Map(file.latents.map(({name}, i) => [name, i]))
  const numberOf = (name: string) => {
    const i = names.get(name)
    if (i === undefined) throw new Error(`the network names "${name}", which is not a concept`)
    return i
  }
  const parents: number[][] = file.latents.map(() => [])
  const cpt = file.latents.map(() => new Float64Array(0))
  for (const {latent, parents: list, probabilities} of file.network) {
    parents[numberOf(latent)] = list.map(numberOf)
    cpt[numberOf(latent)] = Float64Array.from(probabilities)
  }
  const {reading, words} = file
  return {
    latents: file.latents.map(({name, truePositive, falsePositive, prevalence}) => ({
      name,
      truePositive,
      falsePositive,
      prevalence
    })),
    network: {parents, cpt},
    loadings: {
      latentCount: file.latents.length,
      wordCount: words.length,
      failure: Float64Array.from(file.failure.flat()),
      leak: Float64Array.from(file.leak)
    },
    channel: file.channel,
    lexicon: {
      anchors: file.latents.map(({name, anchors, not}) => ({
        concept: name,
        any: anchors,
        not: not ?? [],
        rates: undefined
      })),
      words,
      phrases: reading.phrases,
      text: {...textDefaults, ...reading.text},
      filter: reading.filter,
      skipped: reading.skipped
    },
    seed: file.seed,
    options: file.options,
    certificate: file.certificate
  }
}

/** Over the values, not their layout, so that reformatting the file does no harm. */
function checksum(file: ModelFile): string {
  return crc32(new TextEncoder().encode(JSON.stringify(file)))
    .toString(16)
    .padStart(8, '0')
}

function layOut(key: string, value: unknown): string {
  if (!Array.isArray(value) || !['latents', 'network', 'failure'].includes(key)) return JSON.stringify(value)
  return `[\n${value.map(row => JSON.stringify(row)).join(',\n')}\n]`
}
