import {createHash} from 'node:crypto'
import {createReadStream} from 'node:fs'
import {basename} from 'node:path'
import {pipeline} from 'node:stream/promises'
import type {Command} from 'commander'
import {AdfaError} from '../../../base/checks/index.ts'
import type {LearnedModel} from '../../../learn/learn.ts'
import {saveModel} from '../../../learn/model/index.ts'
import {type OnFinished, readTextFile, writeAtomically} from '../../../read/files/index.ts'
import type {Diagnosis} from '../../../use/advice/index.ts'
import {tagRule} from '../../../use/prediction/index.ts'
import {examineAnchors, learnModel, type TagCounts} from '../../pipeline/index.ts'
import {learningSettings} from '../../project/index.ts'
import {holdsWork, refusedFile} from '../check-outputs.ts'
import {inputOptions, outputOf, usageError, withFlags} from '../common-options.ts'
import {addCommand} from '../declare.ts'
import {drawnReport} from '../drawn-report.ts'
import {chosenOptions, type FitCommandOptions, fitReading, learnControl, taskOf} from '../learning.ts'
import type {Output} from '../output.ts'
import {formatOf, predictFiles} from '../predict-files.ts'
import {type Input, withInput} from '../read-input.ts'
import {type RunResult, runResult, runScreen, stopText} from '../run-screen.ts'
import {noteUnused, refuseUndecided} from '../undecided.ts'
import {unready} from '../use-project.ts'
import {packageVersion} from '../version.ts'

interface RunOptions extends FitCommandOptions {
  readonly project?: string | false
  readonly model: string
  readonly report: string
  readonly tagged: string
  readonly force?: true
}

export function addRunCommand(program: Command): void {
  addCommand(program, {}, [...learningSettings, ...inputOptions])`
run: check anchors, learn a model, report, and tag documents
Check the anchors, learn a model, write a report, and write the documents with their tags: all by adfa.json, which adfa init writes. Stops where a
person has to decide, and says what about.
  [docs...]        document files (default: those of adfa.json)
  --model <file>   the model file to write (default: that of adfa.json, or model.json)
  --report <file>  the report to write (default: report.html beside the model)
  --tagged <file>  the tagged documents to write: .csv, .tsv, .xlsx, .parquet or .jsonl (default: tagged beside the model, of the kind of the documents)
  --force          replace a report or tagged documents that adfa run did not write, or that were changed since

Examples:
  adfa init notes.csv --concepts "alcohol, chest pain, fall"
  adfa run
  adfa run --tagged tagged.xlsx
  adfa run --skip-bad-anchors                 # leave out concepts whose anchor cannot work`.action(runProject)
}

async function runProject(paths: string[], options: RunOptions, command: Command): Promise<void> {
  const output = outputOf(options, command)
  refuseUnready(paths, options)
  const before = await refuseForeign(options)
  const chosen = await chosenOptions(options)
  const reading = {...fitReading(options), skipBadAnchors: true as const}
  await withInput({paths, options: reading, command, output}, async input => {
    if (input.documents === undefined)
      throw usageError(`${paths[0]}: counts hold no documents to tag; give the documents themselves`)
    refuseUndecided(input, options)
    noteUnused(input, options, output)
    const task = taskOf(input, chosen)
    const control = learnControl(output)
    const {diagnosis} = await examineAnchors(task, control)
    refuseFaults(diagnosis, options)
    const model = await learnModel(task, control)
    await writeAtomically(options.model, saveModel(model))
    const page = await reportPage(paths, model, diagnosis, options, output)
    const writeReport = (hashes: readonly string[]) => writeAtomically(options.report, markedPage(page, hashes))
    const tags = await tagDocuments(model, input.documents, options, output, async table =>
      // The report knows the new table before that is in place, so that an interrupted run can be run again.
      writeReport([await hashOf(table), ...before])
    )
    if (!holdsWork(options.tagged)) await writeReport(before)
    output.done()
    const result: RunResult = {paths, model, diagnosis, files: options, tags, labels: options.labels}
    output.json(runResult(result))
    output.print(withFlags(runScreen(result), command))
  })
}

/** Without a project, documents need anchors. */
function refuseUnready(paths: readonly string[], options: RunOptions): void {
  const {anchors, anchorsFromTags, like, project, tagged} = options
  if (paths.length === 0) throw usageError(unready('run', 'documents'))
  const isBare = !project && [anchors, anchorsFromTags, like].every(value => value === undefined)
  if (isBare) throw usageError(unready('run', 'anchors'))
  formatOf(tagged)
}

/** A fault is what fit refuses: a person decides whether to mend the anchor or to leave the concept out. */
function refuseFaults(diagnosis: Diagnosis, {skipBadAnchors, anchors}: RunOptions): void {
  const faults = diagnosis.findings.filter(({severity}) => severity === 'fault')
  if (faults.length === 0 || (skipBadAnchors && diagnosis.anchors.length > 0)) return
  throw new AdfaError('bad-anchors', stopText(faults, diagnosis, anchors))
}

function reportPage(
  paths: readonly string[],
  model: LearnedModel,
  diagnosis: Diagnosis,
  {model: file, labels}: RunOptions,
  output: Output
): Promise<string> {
  const names = paths.map(path => basename(path)).join(', ')
  const provenance: [string, string][] = [
    ['documents', names],
    ['model', file],
    ...(labels === undefined ? [] : [['labels', labels] satisfies [string, string]]),
    ['program', `adfa ${packageVersion()}`]
  ]
  return drawnReport({title: `Concepts in ${names}`, model, diagnosis, provenance}, output)
}

/** Writes the documents with their tags; what people answered has the probability 1 or 0. */
async function tagDocuments(
  model: LearnedModel,
  {source, labels}: NonNullable<Input['documents']>,
  options: RunOptions,
  output: Output,
  onFinished: OnFinished
): Promise<TagCounts> {
  const rule = tagRule(model)
  const tagging = {rule, answers: new Map(labels ?? [])}
  const use = {method: 'auto', words: 'model', output: options.tagged} as const
  const all = source.withFields({keepsRecords: true, part: undefined})
  const {tags} = await predictFiles(model, all, {...options, ...use, rule, tagging, onFinished}, output)
  if (tags === undefined) throw new Error('internal error: the tags were not counted')
  return tags
}

/** The last line of a report by `adfa run`: the hashes of the tagged documents that it wrote, the latest first. */
const MARK = /<!-- adfa run, tagged documents sha256 ([\da-f ]*)-->\s*$/
/** Tagged documents may have several names, such as tagged.csv and tagged.xlsx. */
const MOST_HASHES = 10

/**
 * Refuses to replace a report or tagged documents that a person may have written or corrected. Returns the hashes of the
 * tagged documents that `adfa run` wrote before.
 */
async function refuseForeign({report, tagged, force}: RunOptions): Promise<readonly string[]> {
  const mark = holdsWork(report) ? MARK.exec(await readTextFile(report)) : undefined
  const hashes = mark?.[1].split(' ').filter(hash => hash !== '') ?? []
  if (force) return hashes
  if (mark === null) throw refusedFile(report, ' and was not written by adfa run', 'name another file with --report')
  if (holdsWork(tagged) && !hashes.includes(await hashOf(tagged)))
    throw refusedFile(
      tagged,
      ' and is not as adfa run wrote it: it may hold work of yours',
      'rename it, name another file with --tagged'
    )
  return hashes
}

/** The page with a mark by which the next run knows both files. */
function markedPage(page: string, hashes: readonly string[]): string {
  const latest = [...new Set(hashes)].slice(0, MOST_HASHES)
  return `${page.trimEnd()}\n<!-- adfa run, tagged documents sha256 ${latest.join(' ')} -->\n`
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
