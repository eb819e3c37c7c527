import {existsSync} from 'node:fs'
import {dirname, relative} from 'node:path'
import {Command} from 'commander'
import {counted, grouped} from '../../../base/text/index.ts'
import {
  type Anchors,
  anchorsToJson,
  isFunctionWord,
  type Row,
  type TextOptions,
  textDefaults
} from '../../../read/data/index.ts'
import {openDocuments, writeAtomically} from '../../../read/files/index.ts'
import {
  addCommonOptions,
  addInputOptions,
  type CommonOptions,
  outputOf,
  type ReadingOptions,
  rowFields,
  usageError
} from '../common-options.ts'
import {addFileOptions, type FormatOptions, fileOptions} from '../format-options.ts'
import type {Output} from '../output.ts'
import {PROJECT_FILE, type ProjectContent, parseProject, projectText} from '../project/project-file.ts'
import {type Asker, openAsker} from './ask.ts'
import {type Columns, MOST_ROWS, settleColumns, surveyColumns} from './columns.ts'
import {conceptNames, frequentTags, type SettledAnchors, settleAnchors, vocabularyOf} from './concepts.ts'
import {mostNegated} from './examples.ts'
import {type ColumnGuess, readingFor} from './guess-columns.ts'

interface InitOptions extends CommonOptions, Pick<FormatOptions, 'format' | 'worksheet' | 'encoding'> {
  readonly output: string
  readonly anchors: string
  readonly concepts?: string
  readonly column?: readonly string[]
  readonly yes?: true
  readonly force?: true
}

export function addInitCommand(program: Command): void {
  const command = program
    .command('init')
    .summary('look at documents and write a project for them')
    .description(
      'Look at the first rows of documents, guess what each column is, and write adfa.json, from which all commands in this ' +
        'folder take their settings, and anchors.json, which proposes words for each concept. In a terminal it asks; Enter accepts.'
    )
    .argument('<docs...>', 'document files')
    .option('--concepts <names>', 'what to look for, separated by commas or semicolons: "alcohol, chest pain, fall"')
    .option('--yes', 'ask nothing, and accept every guess')
    .option(
      '--column <name=role>',
      'read a column as id, text, category, number, list, tags or skip; number:5 also gives the bins, list:; the separator; may be repeated',
      (change: string, before: readonly string[] = []) => [...before, change]
    )
    .option('-o, --output <file>', 'project file to write', PROJECT_FILE)
    .option('--anchors <file>', 'anchors file to write', 'anchors.json')
    .option('--force', 'replace existing files')
  addCommonOptions(addFileOptions(command))
    .addHelpText(
      'after',
      `
Without --concepts, the most frequent tags are the concepts if there is a column of tags; otherwise anchors.json is a
template to fill in. An anchors.json that exists is used as it is.

Examples:
  adfa init notes.csv --concepts "alcohol, chest pain, fall"
  adfa init tickets.csv --column "Priority=category" --column "Agent=skip" --yes
  adfa run                                    # then: learn, and tag the documents`
    )
    .action(runInit)
}

async function runInit(paths: string[], options: InitOptions, command: Command): Promise<void> {
  const asker = openAsker(options)
  const {output, show} = heldBack(outputOf(options, command), asker)
  try {
    await refuseExisting(options, asker)
    const columns = await surveyColumns(paths, fileOptions(options, output), output)
    const {rows, hasMore} = columns
    output.print(
      `${paths.join(', ')}: ${hasMore ? `the first ${counted(rows, 'row')}` : counted(rows, 'row')}, ${counted(columns.facts.length, 'column')}\n`
    )
    const guesses = await settleColumns(columns, options.column ?? [], asker, output)
    const start = contentOf(paths, options, readingFor(guesses))
    const documents = await readRows(paths, start, options, output)
    const settled = await anchorsFor(documents, options, asker, output)
    await writeProject({start, columns, guesses, settled, documents}, options, output)
    show()
  } finally {
    asker?.close()
  }
}

/** Prints when all is written, unless somebody is asked: a reader who stops reading must not stop the writing. */
function heldBack(output: Output, asker: Asker | undefined): {output: Output; show(): void} {
  if (asker !== undefined) return {output, show: () => {}}
  const texts: string[] = []
  return {output: {...output, print: text => texts.push(text)}, show: () => output.print(texts.join('\n'))}
}

/** Asks before a file is replaced, or refuses. */
async function refuseExisting(
  {output, anchors, concepts, force}: InitOptions,
  asker: Asker | undefined
): Promise<void> {
  if (force) return
  for (const file of concepts === undefined ? [output] : [output, anchors]) {
    if (!existsSync(file)) continue
    const answer = await asker?.ask(`${file} exists. Replace it? y replaces it, Enter stops:`)
    if (answer === undefined || !/^y(es)?$/i.test(answer))
      throw usageError(`${file} exists already; replace it with --force, or name another file`)
  }
}

function contentOf(
  paths: readonly string[],
  {output, anchors, format, worksheet, encoding}: InitOptions,
  read: Readonly<Record<string, unknown>>
): ProjectContent {
  const beside = (path: string) => (path === '-' ? path : relative(dirname(output), path).replaceAll('\\', '/'))
  return {
    documents: paths.map(beside),
    read: {format, worksheet, encoding, ...read},
    anchors: beside(anchors),
    labels: 'labels.jsonl',
    model: 'model.json'
  }
}

/** Documents as the project reads them. */
interface ReadRows {
  readonly rows: readonly Row[]
  readonly text: TextOptions
}

/** The most characters to hold. */
const MOST_CHARACTERS = 64_000_000

/** The first documents, read with the settings of the new project, which are tried in this way. */
async function readRows(
  paths: readonly string[],
  content: ProjectContent,
  initOptions: InitOptions,
  output: Output
): Promise<ReadRows> {
  const {read} = parseProject(projectText(content), initOptions.output)
  const options: ReadingOptions = {...addInputOptions(new Command()).opts(), ...Object.fromEntries(read)}
  const fields = rowFields(options)
  const source = openDocuments(paths, {...fields, ...fileOptions(options, output), onNote: undefined})
  const rows: Row[] = []
  let characters = 0
  try {
    for await (const batch of source.batches()) {
      for (const row of batch) {
        if (rows.length === MOST_ROWS || characters > MOST_CHARACTERS) break
        rows.push(row)
        for (const text of row.text.values()) characters += text.length
      }
      if (rows.length === MOST_ROWS || characters > MOST_CHARACTERS) break
    }
  } finally {
    await source.close()
  }
  return {rows, text: {...textDefaults, ...fields}}
}

/** The anchors for the concepts named, or for the most frequent tags; undefined if there are none, or a file has them. */
async function anchorsFor(
  {rows, text}: ReadRows,
  {concepts, anchors, force}: InitOptions,
  asker: Asker | undefined,
  output: Output
): Promise<SettledAnchors | undefined> {
  if (concepts === undefined && existsSync(anchors) && !force) {
    output.note(`${anchors} exists and is used as it is`)
    return undefined
  }
  const tags = concepts === undefined ? frequentTags(rows) : []
  const rest = tags.length > 0 ? `; Enter takes the ${tags.length} most frequent tags` : '; Enter writes a template'
  const named = conceptNames(concepts ?? (await asker?.ask(`Concepts to look for, separated by commas${rest}:`)) ?? '')
  const names = named.length > 0 ? named : tags
  if (names.length === 0) return undefined
  if (named.length === 0)
    output.print(
      'concepts are the most frequent tags, each anchored by the words of its name (--concepts names others):'
    )
  return settleAnchors(names, {rows, text, isBrief: named.length === 0}, asker, output)
}

interface Findings {
  readonly start: ProjectContent
  readonly columns: Columns
  readonly guesses: readonly ColumnGuess[]
  readonly settled: SettledAnchors | undefined
  readonly documents: ReadRows
}

async function writeProject(found: Findings, options: InitOptions, output: Output): Promise<void> {
  const {start, guesses, settled, documents} = found
  const negated = mostNegated(settled?.hits ?? [])
  const content = negated === undefined ? start : {...start, read: {...start.read, negation: true}}
  const isKept = settled === undefined && existsSync(options.anchors) && !options.force
  if (settled !== undefined) await writeAtomically(options.anchors, anchorsText(settled.anchors))
  else if (!isKept) await writeAtomically(options.anchors, templateText(documents))
  await writeAtomically(options.output, projectText(content))
  output.json({
    project: options.output,
    anchors: options.anchors,
    documents: found.columns.rows,
    columns: guesses,
    concepts: settled?.hits ?? [],
    negation: negated !== undefined
  })
  if (negated !== undefined)
    output.print(
      `\n${grouped(negated.negated)} of ${grouped(negated.documents)} hits of "${negated.concept}" are negated, such as "${negated.negatedExample}": negated words fire no anchor ("negation": true)`
    )
  if (settled?.leftOut !== undefined) output.print(`\n${settled.leftOut}`)
  output.print(`\nwrote ${options.output}${isKept ? '' : ` and ${options.anchors}${conceptCount(settled)}`}`)
  output.print(
    settled === undefined && !isKept
      ? `next: put your concepts and their words into ${options.anchors}, or run adfa init again with --concepts "..." --force; then adfa run`
      : 'next: adfa run'
  )
}

/** " (7 of 8 concepts)". */
function conceptCount(settled: SettledAnchors | undefined): string {
  if (settled === undefined) return ''
  const {anchors, asked} = settled
  return ` (${anchors.length < asked ? `${anchors.length} of ` : ''}${counted(asked, 'concept')})`
}

/** One concept per line. */
function anchorsText(anchors: Anchors): string {
  return linesOf(anchorsToJson(anchors))
}

/** For people who have not named any concept: the form of the file, and frequent words. */
function templateText({rows, text}: ReadRows): string {
  const words = [...vocabularyOf([], rows, text).documents].filter(([word]) => word.length > 3 && !isFunctionWord(word))
  const frequent = words.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, 40)
  return linesOf({
    $comment: `A line per concept: its name, and words that only this concept brings into a document. Frequent words are ${frequent.map(([word]) => word).join(', ')}.`,
    'name of a concept': ['word', 'another word']
  })
}

function linesOf(object: Readonly<Record<string, unknown>>): string {
  const json = (value: unknown) =>
    Array.isArray(value) ? `[${value.map(item => JSON.stringify(item)).join(', ')}]` : JSON.stringify(value)
  const lines = Object.entries(object).map(([key, value]) => `  ${JSON.stringify(key)}: ${json(value)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}
