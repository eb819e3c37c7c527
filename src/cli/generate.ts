import {Argument, type Command} from 'commander'
import {
  anchorsToJson,
  anchorsWithRates,
  emergencyModel,
  generateDocuments,
  type Model,
  randomModel,
  randomModelDefaults,
  rng,
  saveModel
} from '../index.ts'
import {openAtomicWriter, writeAtomically} from '../node.ts'
import {addCommonOptions, type CommonOptions, outputOf, wholeNumber} from './common-options.ts'

interface GenerateOptions extends CommonOptions {
  readonly output: string
  readonly documents: number
  readonly latents: number
  readonly words: number
  readonly wordsPerDocument?: number
  readonly structure: 'tree' | 'independent'
  readonly truth?: string
  readonly anchors?: string
}

/** Rows are written a block at a time, so that memory does not grow with their number. */
const BLOCK = 4096

export function addGenerateCommand(program: Command): void {
  const {latents, words} = randomModelDefaults
  const command = program
    .command('generate')
    .summary('documents with known truth')
    .description(
      'Draw documents from a known model: a random one, or a synthetic emergency department of 23 conditions.'
    )
    .addArgument(new Argument('<kind>', 'which model').choices(['random', 'emergency']))
    .requiredOption('-o, --output <file>', 'the documents to write (JSON Lines; .gz too)')
    .option('--documents <n>', 'how many documents', wholeNumber, 10_000)
    .option('--truth <file>', 'also write the true model')
    .option('--anchors <file>', 'also write the anchors, with their true rates')
    .option('--latents <m>', 'random: concepts', wholeNumber, latents)
    .option('--words <n>', 'random: words of the vocabulary', wholeNumber, words)
    .option('--words-per-document <n>', 'random: words of a document, about', wholeNumber)
    .option('--structure <kind>', 'random: tree or independent', 'tree')
  addCommonOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  adfa generate emergency --documents 20000 -o visits.jsonl --truth truth.json --anchors anchors.json
  adfa generate random --latents 50 --words 2000 --words-per-document 60 -o docs.jsonl.gz --truth truth.json`
    )
    .action(async (kind: 'random' | 'emergency', options: GenerateOptions) => {
      const output = outputOf(options)
      const model = modelOf(kind, options)
      const writer = await openAtomicWriter(options.output)
      try {
        let lines: string[] = []
        let written = 0
        for (const row of generateDocuments(model, options.documents, rng(options.seed).stream('documents'))) {
          if (lines.push(JSON.stringify(row)) < BLOCK) continue
          written += lines.length
          await writer.write(`${lines.join('\n')}\n`)
          lines = []
          output.progress(`generating: ${written.toLocaleString('en')} documents`, written / options.documents)
        }
        if (lines.length > 0) await writer.write(`${lines.join('\n')}\n`)
        if (options.truth !== undefined) await writeAtomically(options.truth, saveModel(model))
        if (options.anchors !== undefined)
          await writeAtomically(options.anchors, `${JSON.stringify(anchorsToJson(anchorsWithRates(model)), null, 2)}\n`)
        await writer.commit()
      } catch (error) {
        await writer.abort()
        throw error
      }
      const files = [options.output, options.truth, options.anchors].filter(file => file !== undefined)
      output.json({
        documents: options.documents,
        latents: model.latents.length,
        words: model.lexicon.words.length,
        files
      })
      if (options.output !== '-') output.print(`wrote ${files.join(', ')}`)
    })
}

function modelOf(kind: 'random' | 'emergency', options: GenerateOptions): Model {
  if (kind === 'emergency') return emergencyModel()
  const {latents, words, wordsPerDocument, structure, seed} = options
  const given = wordsPerDocument === undefined ? {} : {wordsPerDocument}
  return {...randomModel({latents, words, structure, ...given}, rng(seed).stream('model')), seed}
}
