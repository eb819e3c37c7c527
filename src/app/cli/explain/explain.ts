import {type Command, Option} from 'commander'
import {AdfaError, nearestName} from '../../../base/checks/index.ts'
import {grouped} from '../../../base/text/index.ts'
import {createInference} from '../../../learn/inference/index.ts'
import {loadModel, type Model} from '../../../learn/model/index.ts'
import {createEncoder, type Row, type RowFields} from '../../../read/data/index.ts'
import {type DocumentFormat, openDocuments, readTextFile, writeAtomically} from '../../../read/files/index.ts'
import {type Explanation, explain} from '../../../use/prediction/index.ts'
import {
  addCommonOptions,
  addFormatOptions,
  type CommonOptions,
  type FormatOptions,
  list,
  outputOf
} from '../common-options.ts'
import {readKnown, wordOption} from '../predict.ts'
import {explanationText} from './rows.ts'
import {explanationSvg} from './svg.ts'

interface ExplainCommandOptions extends CommonOptions, FormatOptions {
  readonly id: string
  readonly concept?: string
  readonly svg?: string
  readonly hideAnchors?: true
  /** Names of concepts, or just `tags`. */
  readonly known?: readonly string[]
  readonly method: 'auto' | 'exact' | 'message-passing'
  readonly words: 'model' | 'noisy-or'
}

export function addExplainCommand(program: Command): void {
  const command = program
    .command('explain')
    .summary('show why a concept is probable in a document')
    .description(
      'Show the evidence for and against a concept in one document, as log-odds that add up: its prevalence, its anchor, each ' +
        'present or absent word, and other concepts, which may co-occur with it or account for its words.'
    )
    .argument('<model>', 'a model file')
    .argument('<docs...>', 'document files, or -')
    .requiredOption('--id <id>', 'id of the document; for rows without an id, their number')
    .option('--concept <name>', 'concept to explain (default: the most probable one)')
    .option('--svg <file>', 'also draw the explanation')
    .option('--hide-anchors', 'ignore the anchors')
    .option(
      '--known <tags>',
      'concepts known to be present, separated by commas, or "tags": the other tags of the document',
      list
    )
    .addOption(wordOption())
    .addOption(
      new Option(
        '--method <name>',
        'inference by noisy-or links: auto is exact for few concepts and message passing for more'
      )
        .choices(['auto', 'exact', 'message-passing'])
        .default('auto')
    )
  addCommonOptions(addFormatOptions(command))
    .addHelpText(
      'after',
      `
Examples:
  adfa explain model.json notes.jsonl --id 17
  adfa explain model.json notes.jsonl --id 17 --concept asthma --svg asthma.svg
  adfa explain model.json notes.jsonl --id 17 --concept asthma --hide-anchors --json
  adfa explain model.json notes.jsonl --id 17 --words noisy-or --method exact`
    )
    .action(async (modelPath: string, paths: string[], options: ExplainCommandOptions) => {
      const output = outputOf({...options, ...(options.svg === '-' ? {output: '-'} : {})})
      const model = loadModel(await readTextFile(modelPath), modelPath)
      const {id, svg, format, separator} = options
      const {text: fields} = model.lexicon
      const row = await findDocument(paths, id, {fields, format, separator, onProgress: output.progress})
      const explanation = explainRow(model, row, options)
      if (svg !== undefined) await writeAtomically(svg, explanationSvg(id, explanation))
      if (!createEncoder(model.lexicon).accepts(row))
        output.note(
          'the filter of the model rejects this document: it lacks the required tags, so the model was learned without such documents'
        )
      output.json(explanationJson(model, id, explanation, svg))
      output.print(explanationText(model, {id, row}, explanation, process.stdout.columns ?? 120))
      if (svg !== undefined && svg !== '-') output.print(`wrote ${svg}`)
    })
}

function explainRow(model: Model, row: Row, options: ExplainCommandOptions): Explanation {
  const evidence = createEncoder(model.lexicon).encode(row)
  const {method, words, hideAnchors} = options
  const asked = {method, wordModel: words, anchors: hideAnchors ? 'hidden' : 'used'} as const
  const known = readKnown(model, options.known)(row) ?? new Int8Array(model.concepts.length).fill(-1)
  const own = model.concepts.findIndex(({name}) => name === options.concept)
  if (own !== -1 && options.known?.join() === 'tags') known[own] = -1
  const concept =
    options.concept ??
    mostProbable(model, createInference(model, asked).posterior(evidence, known).probabilities, known)
  return explain(model, evidence, concept, {...asked, known})
}

/** The most probable concept that is not known. */
function mostProbable({concepts}: Model, probabilities: Float64Array, known: Int8Array): string {
  let best = -1
  concepts.forEach((_, i) => {
    if (known[i] === -1 && (best === -1 || probabilities[i] > probabilities[best])) best = i
  })
  if (best === -1)
    throw new AdfaError(
      'bad-option',
      '--known: every concept of the model is known, so nothing is left to explain; name fewer'
    )
  return concepts[best].name
}

function explanationJson(model: Model, id: string, explanation: Explanation, svg: string | undefined): unknown {
  const {posterior, ...rest} = explanation
  return {
    id,
    ...rest,
    certificate: posterior.certificate,
    posterior: Object.fromEntries(model.concepts.map(({name}, i) => [name, posterior.probabilities[i]])),
    ...(svg === undefined ? {} : {svg})
  }
}

/** Number of ids remembered to suggest the nearest one for a mistyped id. */
const REMEMBERED = 50_000

interface FindOptions {
  readonly fields: RowFields
  readonly format?: DocumentFormat | undefined
  readonly separator?: string | undefined
  readonly onProgress: (label: string, share?: number) => void
}

/**
 * The document with this id; a row without an id is identified by its number, counted over all files from 1, as in
 * predictions. Reads all files to the end, since ids need not be unique.
 */
async function findDocument(paths: readonly string[], id: string, options: FindOptions): Promise<Row> {
  const {fields, format, separator, onProgress} = options
  const source = openDocuments(paths, {...fields, format, separator})
  const ids: string[] = []
  const found: Row[] = []
  const numbers: number[] = []
  let count = 0
  try {
    for await (const batch of source.batches()) {
      for (const row of batch) {
        count++
        const own = String(row.id ?? count)
        if (ids.length < REMEMBERED) ids.push(own)
        if (own !== id) continue
        if (found.length === 0) found.push(row)
        numbers.push(count)
      }
      onProgress(
        `looking for the document: ${grouped(count)} read`,
        source.bytesRead() / (source.byteCount ?? Number.NaN)
      )
    }
  } finally {
    await source.close()
  }
  if (numbers.length > 1)
    throw new AdfaError(
      'bad-document',
      `${source.names.join(', ')}: "${id}" is the id of ${numbers.length} documents (number ${numbers.slice(0, 5).join(', ')}${numbers.length > 5 ? ', ...' : ''}); an explanation needs a unique id; give a file with only one of them`
    )
  if (found.length === 0) throw notFound(id, ids, count, source.names)
  return found[0]
}

function notFound(id: string, ids: readonly string[], count: number, names: readonly string[]): AdfaError {
  const nearest = nearestName(id, ids)
  const sample = ids.slice(0, 3).map(other => `"${other}"`)
  const hint = nearest === undefined ? `ids there look like ${sample.join(', ')}` : `did you mean "${nearest}"?`
  return new AdfaError(
    'bad-option',
    `--id: none of the ${grouped(count)} documents of ${names.join(', ')} has the id "${id}"; ${hint}`
  )
}
