import type {Command} from 'commander'
import {AdfaError, nearestName} from '../../../base/checks/index.ts'
import {grouped, withoutControls, wrapCells} from '../../../base/text/index.ts'
import {createInference} from '../../../learn/inference/index.ts'
import type {Model} from '../../../learn/model/index.ts'
import {Encoder, FieldSurvey, type Row} from '../../../read/data/index.ts'
import {type DocumentSource, openDocuments} from '../../../read/files/index.ts'
import {type Explanation, explain} from '../../../use/prediction/index.ts'
import {readKnown} from '../../pipeline/index.ts'
import {blocksText, explanationBlocks, readableExplanation} from '../../present/index.ts'
import {
  type CommonOptions,
  commonOptions,
  type FormatOptions,
  formatOptions,
  INFERRING,
  type InferringOptions,
  outputOf,
  readModel,
  usageError,
  WORDS_OPTION
} from '../common-options.ts'
import {addCommand, required} from '../declare.ts'
import type {Output} from '../output.ts'
import {eachDocument, readingOf} from '../read-input.ts'
import {refuseMissing, unseenText} from '../unseen-fields.ts'

interface ExplainCommandOptions extends CommonOptions, FormatOptions, InferringOptions {
  readonly id: string
  readonly concept?: string
}

export function addExplainCommand(program: Command): void {
  addCommand(program, {id: required, ...INFERRING}, [...formatOptions, ...commonOptions])`
explain: show why a concept is probable in a document
Show the evidence for and against a concept in one document, as log-odds that add up: its prevalence, its anchor, each present or absent word, and
other concepts, which may co-occur with it or account for its words.
  <model>           a model file
  <docs...>         document files, or -
  --id <id>         id of the document; for rows without an id, their number
  --concept <name>  concept to explain (default: the most probable one)
  --hide-anchors    ignore the anchors
  --known <tags>    concepts known to be present, separated by commas, or "tags": the other tags of the document
  ${WORDS_OPTION}
  --method <name>   inference by noisy-or links: auto is exact for few concepts and message passing for more

Examples:
  adfa explain model.json notes.jsonl --id 17
  adfa explain model.json notes.jsonl --id 17 --concept asthma
  adfa explain model.json notes.jsonl --id 17 --concept asthma --hide-anchors --json
  adfa explain model.json notes.jsonl --id 17 --words noisy-or --method exact`.action(runExplain)
}

async function runExplain(
  modelPath: string,
  paths: string[],
  options: ExplainCommandOptions,
  command: Command
): Promise<void> {
  const output = outputOf(options, command)
  const model = await readModel(modelPath)
  // Its --id names a document, not a column.
  const {id, ...reading} = options
  const fields = new FieldSurvey(model.lexicon.reading)
  const source = openDocuments(paths, readingOf(model, reading, output))
  const row = await findDocument(source, id, output, each => fields.add(each))
  const missing = await refuseMissing(fields.unseen(), model.lexicon, paths, {allowMissing: true})
  if (missing.length > 0) output.note(unseenText(missing))
  if (!new Encoder(model.lexicon).accepts(row))
    output.note(
      'the filter of the model rejects this document: it lacks the required tags, so the model was learned without such documents'
    )
  const explanation = explainRow(model, row, options)
  const {posterior, ...rest} = explanation
  const probabilities = model.concepts.map(({name}, i) => [name, posterior.probabilities[i]])
  output.json({id, ...rest, certificate: posterior.certificate, posterior: Object.fromEntries(probabilities)})
  const columns = process.stdout.columns ?? 120
  const reasons = blocksText(explanationBlocks(model, readableExplanation(model, explanation), columns))
  output.print(`${documentText(model, id, row, columns)}\n\n${reasons}`)
}

function explainRow(model: Model, row: Row, options: ExplainCommandOptions): Explanation {
  const evidence = new Encoder(model.lexicon).encode(row)
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
  const open = [...known.keys()].filter(i => known[i] === -1)
  if (open.length === 0)
    throw usageError('--known: every concept of the model is known, so nothing is left to explain; name fewer')
  return concepts[open.reduce((best, i) => (probabilities[i] > probabilities[best] ? i : best))].name
}

/** Number of ids remembered to suggest the nearest one for a mistyped id. */
const REMEMBERED = 50_000

/**
 * The document with this id; a row without an id is identified by its number, counted over all files from 1, as in
 * predictions. Reads all files to the end, since ids need not be unique.
 */
async function findDocument(
  source: DocumentSource,
  id: string,
  output: Output,
  onRow: (row: Row) => void
): Promise<Row> {
  const ids: string[] = []
  const numbers: number[] = []
  let found: Row | undefined
  let number = 0
  await eachDocument(source, 'looking for the document', output, row => {
    number++
    onRow(row)
    const own = String(row.id ?? number)
    if (ids.length < REMEMBERED) ids.push(own)
    if (own !== id) return
    found ??= row
    numbers.push(number)
  })
  const names = source.names.join(', ')
  if (numbers.length > 1)
    throw new AdfaError(
      'bad-document',
      `${names}: "${id}" is the id of ${numbers.length} documents (number ${numbers.slice(0, 5).join(', ')}${numbers.length > 5 ? ', ...' : ''}); an explanation needs a unique id; give a file with only one of them`
    )
  if (found !== undefined) return found
  const nearest = nearestName(id, ids)
  const sample = ids.slice(0, 3).map(other => `"${other}"`)
  const hint = nearest === undefined ? `ids there look like ${sample.join(', ')}` : `did you mean "${nearest}"?`
  throw usageError(`--id: none of the ${grouped(number)} documents of ${names} has the id "${id}"; ${hint}`)
}

/** Lines of the document that are shown. */
const DOCUMENT_LINES = 24

/** The fields of a document, one below the other. */
function documentText({lexicon}: Model, id: string, row: Row, columns: number): string {
  const texts = lexicon.reading.text.map(field => [field, row.text.get(field) ?? ''] as const)
  const parts = [...texts, ['features', row.features.join(', ')] as const].filter(([, text]) => text.trim() !== '')
  const lines = parts.flatMap(([field, text]) =>
    wrapCells(parts.length === 1 ? text.trim() : `${field}: ${text.trim()}`, columns - 2)
  )
  const shown = parts.length === 0 ? ['(an empty document)'] : lines.slice(0, DOCUMENT_LINES)
  const more = lines.length > DOCUMENT_LINES ? [`... ${lines.length - DOCUMENT_LINES} more lines`] : []
  return [withoutControls(id).replaceAll('\n', ' '), ...[...shown, ...more].map(line => ` ${line}`)].join('\n')
}
