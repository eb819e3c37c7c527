import {existsSync} from 'node:fs'
import {dirname, relative} from 'node:path'
import {Command} from 'commander'
import {counted, grouped, listed, nameList} from '../../../base/text/index.ts'
import {anchorsToJson, type Row, readVote, textLanguage, textOptionsOf, voteAnchors} from '../../../read/data/index.ts'
import {openDocuments, writeAtomically} from '../../../read/files/index.ts'
import {mostSurveyedRows, readingFor} from '../../../read/reading/index.ts'
import {type AnchorHits, mostNegated} from '../../../use/advice/index.ts'
import {fileSettings, jsonLines, type NewProject, newProjectText, parseProjectFile} from '../../project/index.ts'
import {askText, canAsk} from '../ask.ts'
import {holdsWork, refusedFile} from '../check-outputs.ts'
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
import {readColumns, settleColumns} from '../init/columns.ts'
import {
  conceptNames,
  type FirstDocuments,
  frequentTags,
  hitsOf,
  namesAsTagged,
  settleAnchors
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
  const own = outputOf(options, command)
  const told: string[] = []
  // Printed when all is written, unless somebody is asked: a reader who stops reading must not stop the writing.
  const output: Output = isAsking ? own : {...own, print: text => told.push(text)}
  if (paths.includes('-'))
    throw usageError(
      'adfa.json names the files of documents, so init needs some: save standard input to a file and name that'
    )
  const isKept = options.concepts === undefined && existsSync(options.anchors) && !options.force
  refuseExisting(options)
  const kept = isKept ? await readAnchors(options.anchors) : undefined
  const known = kept?.map(({concept}) => concept) ?? conceptNames(options.concepts ?? '')
  const columns = await readColumns(paths, fileOptions(options, output), known, output)
  const {rows, hasMore} = columns
  output.print(
    `${paths.join(', ')}: ${hasMore ? `the first ${counted(rows, 'row')}` : counted(rows, 'row')}, ${counted(columns.facts.length, 'column')}\n`
  )
  const {column = [], votes = []} = options
  const changes = [...column, ...votes.map(name => `${name}=votes`)]
  const guesses = await settleColumns(columns, changes, isAsking, output)
  const start = newProject(paths, options, readingFor(guesses))
  const documents = await firstDocuments(paths, start, options, output)
  if (kept !== undefined) output.note(`${options.anchors} exists and is used as it is`)
  const found = kept ? {hits: hitsOf(kept, documents)} : await findConcepts(documents, options, isAsking, output)
  await writeProject(start, found, options)
  report(found, documents, options, output)
  const {hits, isByVotes = false} = found
  output.json({
    project: options.output,
    anchors: isByVotes ? undefined : options.anchors,
    documents: rows,
    columns: guesses,
    concepts: hits,
    negation: mostNegated(hits) !== undefined
  })
  if (!isAsking) own.print(told.join('\n'))
}

function refuseExisting({output, anchors, concepts, force}: InitOptions): void {
  const written = concepts === undefined ? [output] : [output, anchors]
  const found = written.find(holdsWork)
  if (found !== undefined && !force) throw refusedFile(found, ' already')
}

function newProject(
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

/** The most characters to hold. */
const MOST_CHARACTERS = 64_000_000

/** The first documents, read with the settings of the new project, which are tried in this way. */
async function firstDocuments(
  paths: readonly string[],
  project: NewProject,
  initOptions: InitOptions,
  output: Output
): Promise<FirstDocuments> {
  const {read} = parseProjectFile(newProjectText(project), initOptions.output)
  const options: ReadingOptions = {...addOptions(new Command(), inputOptions).opts(), ...read}
  const reading = textOptionsOf(options)
  const source = openDocuments(paths, {...reading, ...fileOptions(options, output), onNote: undefined})
  const rows: Row[] = []
  let characters = 0
  try {
    for await (const batch of source.batches()) {
      for (const row of batch) {
        if (rows.length === mostSurveyedRows || characters > MOST_CHARACTERS) return {rows, reading}
        rows.push(row)
        for (const text of row.text.values()) characters += text.length
      }
    }
    return {rows, reading}
  } finally {
    await source.close()
  }
}

interface FoundConcepts {
  readonly hits: readonly AnchorHits[]
  /** The content of the anchors file; undefined where it is kept, and where votes need none. */
  readonly anchors?: Readonly<Record<string, unknown>>
  readonly isByVotes?: boolean
  readonly isTemplate?: boolean
  /** How many concepts were asked for, and why some have no anchor. */
  readonly asked?: number
  readonly leftOut?: readonly string[]
}

/** Anchors for the concepts that somebody names or for the most frequent tags, or the classes of votes, or a template. */
async function findConcepts(
  documents: FirstDocuments,
  {concepts, anchors: file}: InitOptions,
  isAsking: boolean,
  output: Output
): Promise<FoundConcepts> {
  const {rows} = documents
  if (concepts === undefined && hasVotes(rows)) {
    output.print('concepts are the classes that documents have votes for (--concepts names others)')
    const classes = exclusiveClasses(rows)
    if (classes === undefined) return {hits: [], isByVotes: true}
    output.print(
      `exactly one of ${nameList(classes, 5)} is taken to hold in each document: if several may hold, remove ${file} and its line in adfa.json`
    )
    return {hits: [], anchors: {$exclusive: [classes]}}
  }
  // Numbers, as in svmlight, are not named by tags: a template shows what to write.
  const areNumbers = rows.every(
    ({text, features}) => text.size === 0 && features.every(feature => /^\d+$/.test(feature))
  )
  const tags = concepts === undefined && !areNumbers ? frequentTags(rows) : []
  const rest = tags.length > 0 ? `Enter takes the ${tags.length} most frequent tags` : 'Enter writes a template'
  const question = `Concepts to look for, separated by commas; ${rest}:`
  const named = conceptNames(concepts ?? (isAsking ? await askText(question) : ''))
  const areTags = named.length === 0
  const names = areTags ? tags : namesAsTagged(named, rows)
  if (names.length === 0) return {hits: [], anchors: TEMPLATE, isTemplate: true}
  const respelled = areTags ? [] : names.filter(name => !named.includes(name))
  if (respelled.length > 0) output.print(`spelled as the tags of the documents: ${nameList(respelled)}`)
  const which = areTags ? 'the concepts are the most frequent tags (--concepts names others), with' : 'concepts, with'
  output.print(`${which} the words of each anchor and the number of documents that have them:`)
  const {anchors, leftOut} = await settleAnchors(names, documents, {areTags, isAsking}, output)
  const told = isAsking ? [] : leftOut
  return {hits: hitsOf(anchors, documents), anchors: anchorsToJson(anchors), asked: names.length, leftOut: told}
}

/** The classes of the votes if exactly one holds in each document, which is usual, and no tags are against it. */
function exclusiveClasses(rows: readonly Row[]): readonly string[] | undefined {
  const classes = voteAnchors(rows.flatMap(({features}) => features)).map(({concept}) => concept)
  const isOne = rows.every(({tags = []}) => classes.filter(name => tags.includes(name)).length <= 1)
  return classes.length >= 2 && isOne ? classes : undefined
}

/** Whether documents have votes for classes, which need no anchors. */
function hasVotes(rows: readonly Row[]): boolean {
  const isClass = (vote: string | undefined) => vote !== undefined && vote !== 'true' && vote !== 'false'
  return rows.some(({features}) => features.some(feature => isClass(readVote(feature)?.vote)))
}

/** For people who have not named any concept: the form of the file. */
const TEMPLATE = {
  $comment: 'A line per concept: its name, and words that only this concept brings into a document.',
  'name of a concept': ['word', 'another word']
}

async function writeProject(
  {anchors: file, ...start}: NewProject,
  {hits, anchors, isByVotes}: FoundConcepts,
  options: InitOptions
): Promise<void> {
  const read = {...start.read, ...(mostNegated(hits) && {negation: true})}
  const content = {...start, read, ...(!isByVotes && file !== undefined && {anchors: file})}
  if (anchors !== undefined) await writeAtomically(options.anchors, jsonLines(anchors, 1))
  // Editors read the schema of the installed package, or else of the published one.
  const installed = './node_modules/adfa/schema/project.schema.json'
  await writeAtomically(options.output, newProjectText(content, existsSync(installed) ? installed : undefined))
}

/** What was written, and what to do next. */
function report(found: FoundConcepts, {rows}: FirstDocuments, options: InitOptions, output: Output): void {
  const {anchors, isTemplate, hits, asked, leftOut = []} = found
  const most = mostNegated(hits)
  if (most !== undefined) {
    const language = textLanguage(rows.flatMap(({text}) => [...text.values()]))
    output.print(
      `\n${grouped(most.negated)} of ${grouped(most.documents)} hits of "${most.concept}" are negated, such as "${most.examples[0]}" (read as ${language}): negated words fire no anchor ("negation": true)`
    )
  }
  if (leftOut.length > 0)
    output.print(`\nleft out: ${listed(leftOut)}; to have them, add them to the anchors with words that occur`)
  const part = asked !== undefined && hits.length < asked ? `${hits.length} of ` : ''
  const count = asked === undefined ? '' : ` (${part}${counted(asked, 'concept')})`
  output.print(`\nwrote ${options.output}${anchors === undefined ? '' : ` and ${options.anchors}${count}`}`)
  output.print(
    isTemplate
      ? `next: put your concepts and their words into ${options.anchors}, or run adfa init again with --concepts "..." --force; then adfa run`
      : 'next: adfa run'
  )
}
