import type {Command} from 'commander'
import {rng} from '../../../base/numeric/index.ts'
import {counted} from '../../../base/text/index.ts'
import {anchorsWithRates, type Model, saveModel} from '../../../learn/model/index.ts'
import {anchorsToJson} from '../../../read/data/index.ts'
import {type AtomicWriter, withAtomicWriter} from '../../../read/files/index.ts'
import {
  emergencyModel,
  generateDocuments,
  type RandomModelOptions,
  randomModel,
  randomModelDefaults
} from '../../../use/synthetic/index.ts'
import {positiveNumber, upTo} from '../../project/index.ts'
import {type CommonOptions, commonOptions, outputOf} from '../common-options.ts'
import {addCommand, required} from '../declare.ts'
import type {Output} from '../output.ts'
import {createPause} from '../signals.ts'

interface GenerateOptions extends CommonOptions {
  readonly output: string
  readonly documents: number
  readonly concepts: number
  readonly words: number
  readonly wordsPerDocument?: number
  readonly structure: RandomModelOptions['structure']
  readonly truth?: string
  readonly anchors?: string
}

/** Documents between two looks at the clock for progress. */
const BLOCK = 4096

export function addGenerateCommand(program: Command): void {
  const {concepts, words, structure} = randomModelDefaults
  addCommand(
    program,
    {
      kind: ['random', 'emergency'],
      output: required,
      documents: {read: upTo(1e9), preset: 10_000},
      concepts: {read: positiveNumber, preset: concepts},
      words: {read: positiveNumber, preset: words},
      wordsPerDocument: positiveNumber,
      structure: {preset: structure}
    },
    commonOptions
  )`
generate: draw documents from a known model
Draw documents from a known model: a random one, or a synthetic emergency department with 23 conditions.
  <kind>                    model to draw from
  -o, --output <file>       documents file to write (JSON Lines, also .gz)
  --documents <n>           number of documents
  --truth <file>            also write the true model
  --anchors <file>          also write the anchors with their true rates
  --concepts <m>            random: number of concepts
  --words <n>               random: size of the vocabulary
  --words-per-document <n>  random: mean number of words per document
  --structure <kind>        random: graph over the concepts, independent, tree or indegree:K

Examples:
  adfa generate emergency --documents 20000 -o visits.jsonl --truth truth.json --anchors anchors.json
  adfa generate random --concepts 50 --words 2000 --words-per-document 60 -o docs.jsonl.gz --truth truth.json
  adfa generate random --structure indegree:2 -o docs.jsonl --truth truth.json   # one or two parents per concept`.action(
    async (kind: 'random' | 'emergency', options: GenerateOptions) => {
      const output = outputOf(options, undefined, [options.truth, options.anchors])
      const model = modelOf(kind, options)
      // All files are opened before the first is written, and renamed together at the end.
      const truth = options.truth === undefined ? '' : saveModel(model)
      const anchors = `${JSON.stringify(anchorsToJson(anchorsWithRates(model)), null, 2)}\n`
      await withAtomicWriter(options.output, documents =>
        writeBeside(options.truth, truth, () =>
          writeBeside(options.anchors, anchors, () => writeDocuments(model, options, documents, output))
        )
      )
      const files = [options.output, options.truth, options.anchors].filter(file => file !== undefined)
      output.json({
        documents: options.documents,
        concepts: model.concepts.length,
        words: model.lexicon.words.length,
        files
      })
      output.print(`wrote ${files.filter(file => file !== '-').join(', ') || 'standard output'}`)
    }
  )
}

/** Writes `content` to `path`, if given; the file is kept only if `work` succeeds. */
async function writeBeside(path: string | undefined, content: string, work: () => Promise<void>): Promise<void> {
  if (path === undefined) return work()
  return withAtomicWriter(path, async writer => {
    await writer.write(content)
    await work()
  })
}

async function writeDocuments(
  model: Model,
  options: GenerateOptions,
  writer: AtomicWriter,
  output: Output
): Promise<void> {
  const pause = createPause()
  let written = 0
  for (const row of generateDocuments(model, options.documents, rng(options.seed).stream('documents'))) {
    await writer.write(`${JSON.stringify(row)}\n`)
    await pause()
    if (++written % BLOCK === 0)
      output.progress(`generating: ${counted(written, 'document')}`, written / options.documents)
  }
}

function modelOf(kind: 'random' | 'emergency', options: GenerateOptions): Model {
  if (kind === 'emergency') return emergencyModel()
  const {concepts, words, wordsPerDocument, structure, seed} = options
  const given = wordsPerDocument === undefined ? {} : {wordsPerDocument}
  const wordsPerConcept = Math.min(randomModelDefaults.wordsPerConcept, words)
  return {...randomModel({concepts, words, structure, wordsPerConcept, ...given}, rng(seed).stream('model')), seed}
}
