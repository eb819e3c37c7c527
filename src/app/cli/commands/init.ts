import {existsSync} from 'node:fs'
import {dirname, relative} from 'node:path'
import {confirm, text} from '@clack/prompts'
import {Command} from 'commander'
import {counted, grouped, nameList} from '../../../base/text/index.ts'
import {
  anchorsToJson,
  isFunctionWord,
  type Row,
  readVote,
  type TextOptions,
  textLanguage,
  textOptionsOf,
  VoteSurvey
} from '../../../read/data/index.ts'
import {openDocuments, writeAtomically} from '../../../read/files/index.ts'
import {type ColumnGuess, mostSurveyedRows, readingFor} from '../../../read/reading/index.ts'
import {type AnchorHits, mostNegated} from '../../../use/advice/index.ts'
import {fileSettings, type NewProject, newProjectText, parseProjectFile} from '../../project/index.ts'
import {answered, canAsk} from '../ask.ts'
import {
  type CommonOptions,
  commonOptions,
  eachText,
  type FormatOptions,
  fileOptions,
  inputOptions,
  moreNames,
  outputOf,
  type ReadingOptions,
  usageError
} from '../common-options.ts'
import {addCommand, addOptions} from '../declare.ts'
import {type Columns, readColumns, settleColumns, withNamedTags} from '../init/columns.ts'
import {
  conceptNames,
  frequentTags,
  hitsOf,
  namesAsTagged,
  type SettledAnchors,
  settleAnchors,
  vocabularyOf
} from '../init/concepts.ts'
import type {Output} from '../output.ts'
import {readAnchors} from '../read-anchors.ts'
import {PROJECT_FILE} from '../use-project.ts'

interface InitOptions extends CommonOptions, Pick<FormatOptions, 'format' | 'worksheet' | 'encoding'> {
  readonly output: string
  readonly anchors: string
  readonly concepts?: string
  readonly column?: readonly string[]
  readonly votes?: readonly string[]
  readonly yes?: true
  readonly force?: true
}

export function addInitCommand(program: Command): void {
  addCommand(
    program,
    {
      column: eachText,
      votes: moreNames,
      output: {preset: PROJECT_FILE},
      anchors: {preset: 'anchors.json'}
    },
    [...fileSettings, ...commonOptions]
  )`
init: look at documents and write a project for them
Look at the first rows of documents, guess what each column is, and write adfa.json, from which all commands in this folder take their settings, and
anchors.json, which proposes words for each concept. In a terminal it asks; Enter accepts.
  <docs...>             document files
  --concepts <names>    what to look for, separated by commas or semicolons: "alcohol, chest pain, fall"
  --yes                 ask nothing, and accept every guess
  --column <name=role>  read a column as id, text, category, number, list, tags, votes or skip; number:5 also gives the bins, list:; the separator; may be repeated
  --votes <columns>     columns that are sources of votes, each with a class or nothing
  -o, --output <file>   project file to write
  --anchors <file>      anchors file to write
  --force               replace existing files

Without --concepts, the most frequent tags are the concepts if there is a column of tags; otherwise anchors.json is a
template to fill in. An anchors.json that exists is used as it is. Votes make their classes the concepts, exactly one
per document unless tags show several: anchors.json then names this group.

Examples:
  adfa init notes.csv --concepts "alcohol, chest pain, fall"
  adfa init tickets.csv --column "Priority=category" --column "Agent=skip" --yes
  adfa init comments.csv --votes keyword,link,llm
  adfa run                                    # then: learn, and tag the documents`.action(runInit)
}

async function runInit(paths: string[], options: InitOptions, command: Command): Promise<void> {
  const isAsking = canAsk(options)
  const {output, show} = heldBack(outputOf(options, command), isAsking)
  if (paths.includes('-'))
    throw usageError(
      'adfa.json names the files of documents, so init needs some: save standard input to a file and name that'
    )
  await refuseExisting(options, isAsking)
  const surveyed = await readColumns(paths, fileOptions(options, output), output)
  const columns = withNamedTags(surveyed, await knownConcepts(options), output)
  const {rows, hasMore} = columns
  output.print(
    `${paths.join(', ')}: ${hasMore ? `the first ${counted(rows, 'row')}` : counted(rows, 'row')}, ${counted(columns.facts.length, 'column')}\n`
  )
  const guesses = await settleColumns(columns, changesOf(options), isAsking, output)
  const start = contentOf(paths, options, readingFor(guesses))
  const documents = await readRows(paths, start, options, output)
  const found = await anchorsFor(documents, options, isAsking, output)
  await writeProject({start, columns, guesses, documents, ...found}, options, output)
  show()
}

/** The concepts that the command line or an existing anchors file names. */
async function knownConcepts({concepts, anchors, force}: InitOptions): Promise<readonly string[]> {
  if (concepts !== undefined) return conceptNames(concepts)
  if (!existsSync(anchors) || force) return []
  return (await readAnchors(anchors)).map(({concept}) => concept)
}

function changesOf({column = [], votes = []}: InitOptions): string[] {
  return [...column, ...votes.map(name => `${name}=votes`)]
}

/** Prints when all is written, unless somebody is asked: a reader who stops reading must not stop the writing. */
function heldBack(output: Output, isAsking: boolean): {output: Output; show(): void} {
  if (isAsking) return {output, show: () => {}}
  const texts: string[] = []
  return {output: {...output, print: text => texts.push(text)}, show: () => output.print(texts.join('\n'))}
}

/** Asks before a file is replaced, or refuses. */
async function refuseExisting({output, anchors, concepts, force}: InitOptions, isAsking: boolean): Promise<void> {
  if (force) return
  for (const file of concepts === undefined ? [output] : [output, anchors]) {
    if (!existsSync(file)) continue
    const message = `${file} exists. Replace it?`
    if (!isAsking || !answered(await confirm({message, initialValue: false, output: process.stderr})))
      throw usageError(`${file} exists already; replace it with --force, or name another file`)
  }
}

function contentOf(
  paths: readonly string[],
  {output, anchors, format, worksheet, encoding}: InitOptions,
  read: Readonly<Record<string, unknown>>
): NewProject {
  const beside = (path: string) => (path === '-' ? path : relative(dirname(output), path).replaceAll('\\', '/'))
  return {
    documents: paths.map(beside),
    read: {format, worksheet, encoding, ...read},
    anchors: beside(anchors),
    labels: 'labels.jsonl',
    model: 'model.json'
  }
}

interface ReadRows {
  readonly rows: readonly Row[]
  readonly reading: TextOptions
}

/** The most characters to hold. */
const MOST_CHARACTERS = 64_000_000

/** The first documents, read with the settings of the new project, which are tried in this way. */
async function readRows(
  paths: readonly string[],
  content: NewProject,
  initOptions: InitOptions,
  output: Output
): Promise<ReadRows> {
  const {read} = parseProjectFile(newProjectText(content), initOptions.output)
  const options: ReadingOptions = {...addOptions(new Command(), inputOptions).opts(), ...read}
  const reading = textOptionsOf(options)
  const source = openDocuments(paths, {...reading, ...fileOptions(options, output), onNote: undefined})
  const rows: Row[] = []
  let characters = 0
  try {
    for await (const batch of source.batches()) {
      for (const row of batch) {
        if (rows.length === mostSurveyedRows || characters > MOST_CHARACTERS) break
        rows.push(row)
        for (const text of row.text.values()) characters += text.length
      }
      if (rows.length === mostSurveyedRows || characters > MOST_CHARACTERS) break
    }
  } finally {
    await source.close()
  }
  return {rows, reading}
}

/** Anchors with words, or the classes of votes, which have none: exclusive ones need a file that says so. */
interface FoundConcepts {
  readonly settled?: SettledAnchors | undefined
  /** The hits of the anchors, also of those that a file has. */
  readonly hits?: readonly AnchorHits[]
  readonly classes?: readonly string[]
}

/** The anchors for the concepts named, or for the most frequent tags, or votes; nothing if there are none, or a file has them. */
async function anchorsFor(
  {rows, reading}: ReadRows,
  {concepts, anchors, force}: InitOptions,
  isAsking: boolean,
  output: Output
): Promise<FoundConcepts> {
  if (concepts === undefined && existsSync(anchors) && !force) {
    output.note(`${anchors} exists and is used as it is`)
    return {hits: hitsOf(await readAnchors(anchors), rows, reading)}
  }
  if (concepts === undefined && hasVotes(rows)) {
    output.print('concepts are the classes that documents have votes for (--concepts names others)')
    return {classes: exclusiveClasses(rows, anchors, output)}
  }
  // Numbers, as in svmlight, are not named by tags: a template shows what to write.
  const areNumbers = rows.every(({text, features}) => text.size === 0 && features.every(isIndex))
  const tags = concepts === undefined && !areNumbers ? frequentTags(rows) : []
  const rest = tags.length > 0 ? `Enter takes the ${tags.length} most frequent tags` : 'Enter writes a template'
  const message = `Concepts to look for, separated by commas; ${rest}:`
  const asked = concepts === undefined && isAsking ? answered(await text({message, output: process.stderr})) : concepts
  const named = conceptNames(asked ?? '')
  const names = named.length > 0 ? namesAsTagged(named, rows) : tags
  if (names.length === 0) return {}
  const respelled = names.filter(name => named.length > 0 && !named.includes(name))
  if (respelled.length > 0) output.print(`spelled as the tags of the documents: ${nameList(respelled)}`)
  if (named.length === 0)
    output.print(
      'concepts are the most frequent tags, each anchored by the words of its name (--concepts names others):'
    )
  const settled = await settleAnchors(names, {rows, reading, isBrief: named.length === 0}, isAsking, output)
  return {settled, hits: settled.hits}
}

/** The classes of the votes if exactly one holds in each document, which is usual, and no tags are against it; else none. */
function exclusiveClasses(rows: readonly Row[], file: string, output: Output): readonly string[] {
  const survey = new VoteSurvey()
  for (const row of rows) survey.add(row)
  const classes = survey.anchors().map(({concept}) => concept)
  const isOne = rows.every(({tags = []}) => classes.filter(name => tags.includes(name)).length <= 1)
  if (classes.length < 2 || !isOne) return []
  output.print(
    `exactly one of ${nameList(classes, 5)} is taken to hold in each document: if several may hold, remove ${file} and its line in adfa.json`
  )
  return classes
}

/** Whether documents have votes for classes, which need no anchors. */
function hasVotes(rows: readonly Row[]): boolean {
  const isClass = (vote: string | undefined) => vote !== undefined && vote !== 'true' && vote !== 'false'
  return rows.some(({features}) => features.some(feature => isClass(readVote(feature)?.vote)))
}

interface Findings extends FoundConcepts {
  readonly start: NewProject
  readonly columns: Columns
  readonly guesses: readonly ColumnGuess[]
  readonly documents: ReadRows
}

async function writeProject(found: Findings, options: InitOptions, output: Output): Promise<void> {
  const {start, guesses, settled, hits = [], classes, documents} = found
  const byVotes = classes?.length === 0
  const negated = mostNegated(hits)
  const {anchors: file, ...rest} = start
  const content = {
    ...rest,
    ...(!byVotes && file !== undefined && {anchors: file}),
    ...(negated !== undefined && {read: {...start.read, negation: true}})
  }
  const isKept = byVotes || (settled === undefined && existsSync(options.anchors) && !options.force)
  if (settled !== undefined) await writeAtomically(options.anchors, linesOf(anchorsToJson(settled.anchors)))
  else if (classes !== undefined && !isKept) await writeAtomically(options.anchors, linesOf({$exclusive: [classes]}))
  else if (!isKept) await writeAtomically(options.anchors, templateText(documents))
  await writeAtomically(options.output, newProjectText(content, schemaAddress()))
  output.json({
    project: options.output,
    anchors: byVotes ? undefined : options.anchors,
    documents: found.columns.rows,
    columns: guesses,
    concepts: hits,
    negation: negated !== undefined
  })
  if (negated !== undefined) {
    const language = textLanguage(documents.rows.flatMap(({text}) => [...text.values()]))
    output.print(
      `\n${grouped(negated.negated)} of ${grouped(negated.documents)} hits of "${negated.concept}" are negated, such as "${negated.examples[0]}" (read as ${language}): negated words fire no anchor ("negation": true)`
    )
  }
  if (settled?.leftOut !== undefined) output.print(`\n${settled.leftOut}`)
  output.print(`\nwrote ${options.output}${isKept ? '' : ` and ${options.anchors}${conceptCount(settled)}`}`)
  output.print(
    settled === undefined && classes === undefined && !isKept
      ? `next: put your concepts and their words into ${options.anchors}, or run adfa init again with --concepts "..." --force; then adfa run`
      : 'next: adfa run'
  )
}

/** Editors read the schema of the installed package, or else of the published one. */
function schemaAddress(): string | undefined {
  const installed = './node_modules/adfa/schema/project.schema.json'
  return existsSync(installed) ? installed : undefined
}

/** " (7 of 8 concepts)". */
function conceptCount(settled: SettledAnchors | undefined): string {
  if (settled === undefined) return ''
  const {anchors, asked} = settled
  return ` (${anchors.length < asked ? `${anchors.length} of ` : ''}${counted(asked, 'concept')})`
}

function isIndex(feature: string): boolean {
  return /^\d+$/.test(feature)
}

/** For people who have not named any concept: the form of the file, and frequent words. */
function templateText({rows, reading}: ReadRows): string {
  const words = [...vocabularyOf([], rows, reading).documents].filter(
    ([word]) => isIndex(word) || (word.length > 3 && !isFunctionWord(word))
  )
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
