import type {Command} from 'commander'
import {rng} from '../../../base/numeric/index.ts'
import {counted} from '../../../base/text/index.ts'
import {anchorsWithRates, type Model, saveModel} from '../../../learn/model/index.ts'
import {anchorsToJson} from '../../../read/data/index.ts'
import {withAtomicWriter, writeAtomically} from '../../../read/files/index.ts'
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
    runGenerate
  )
}

async function runGenerate(kind: 'random' | 'emergency', options: GenerateOptions): Promise<void> {
  const {output: file, truth, anchors, documents, seed} = options
  const output = outputOf(options, undefined, [truth, anchors])
  const model = kind === 'emergency' ? emergencyModel() : drawnModel(options)
  const pause = createPause()
  let written = 0
  await withAtomicWriter(file, async writer => {
    for (const row of generateDocuments(model, documents, rng(seed).stream('documents'))) {
      await writer.write(`${JSON.stringify(row)}\n`)
      await pause()
      if (++written % BLOCK === 0) output.progress(`generating: ${counted(written, 'document')}`, written / documents)
    }
  })
  if (truth !== undefined) await writeAtomically(truth, saveModel(model))
  if (anchors !== undefined)
    await writeAtomically(anchors, `${JSON.stringify(anchorsToJson(anchorsWithRates(model)), null, 2)}\n`)
  const files = [file, truth, anchors].filter(name => name !== undefined)
  output.json({documents, concepts: model.concepts.length, words: model.lexicon.words.length, files})
  output.print(`wrote ${files.filter(name => name !== '-').join(', ') || 'standard output'}`)
}

function drawnModel({concepts, words, wordsPerDocument, structure, seed}: GenerateOptions): Model {
  const given = wordsPerDocument === undefined ? {} : {wordsPerDocument}
  const wordsPerConcept = Math.min(randomModelDefaults.wordsPerConcept, words)
  return {...randomModel({concepts, words, structure, wordsPerConcept, ...given}, rng(seed).stream('model')), seed}
}
