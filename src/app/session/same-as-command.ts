import {AdfaError} from '../../base/checks/index.ts'
import {anchorsToJson, vocabularyDefaults} from '../../read/data/index.ts'
import {labelRowsToText} from '../../use/labelling/index.ts'
import {COUNTS, MODEL, REPORT} from './export-kinds.ts'
import {learnAnchorsOf, learnEdgesOf, learnLabelsOf} from './learn-options.ts'
import type {Project, Reading} from './project.ts'
import {edgesToText, projectFileName, projectToText} from './project-file.ts'

export interface CommandFile {
  readonly name: string
  readonly text: string
}

/** The files whose figures are in the report. */
export interface JudgedFiles {
  readonly data: readonly string[]
  readonly train?: readonly string[] | undefined
  /** Judged on the quarter of them that is held out. */
  readonly isHeldOut: boolean
}

/** A line for a POSIX shell, and the files that it needs beside the documents. */
export interface SameCommand {
  readonly line: string
  readonly files: readonly CommandFile[]
  /** The line that then writes the report, from the model and the counts that the studio exports. */
  readonly report: string
}

/**
 * The command that writes the model of a project, to the byte, where the files and the documents are: with flags, or with a
 * project file where a name cannot be written as a flag.
 */
export function commandOf(project: Project, documents: readonly string[], judged?: JudgedFiles): SameCommand {
  const {reading, fit} = project
  const rules = learnEdgesOf(project)
  const {edges: _, snapshots: __, ...bare} = project
  const used = {
    ...bare,
    anchors: learnAnchorsOf(project),
    labels: learnLabelsOf(project),
    ...(rules && {edges: rules})
  }
  if (used.anchors.length === 0)
    throw new AdfaError('bad-anchors', 'no concept has a member yet; add one, and the command is shown here')
  if (documents.length === 0) throw new AdfaError('bad-option', 'there are no documents; open some first')
  const named = (name: string): string => (documents.includes(name) ? named(`studio-${name}`) : name)
  const model = named(MODEL)
  if (!isPlain(reading)) return byProject(used, documents, {file: named(projectFileName(project)), model, judged})
  const anchors = {name: named('anchors.json'), text: `${JSON.stringify(anchorsToJson(used.anchors), undefined, 2)}\n`}
  const labels = {name: named('labels.jsonl'), text: labelRowsToText(used.labels)}
  const edges = rules && {name: named('edges.json'), text: edgesToText(rules)}
  const hasLabels = used.labels.length > 0
  const words = [
    ...['adfa', 'fit', ...documents.map(path)],
    ...['--anchors', anchors.name],
    ...(hasLabels ? ['--labels', labels.name] : []),
    ...readingFlags(reading),
    ...Object.entries(fit).flatMap(([name, value]) => flags(name, value)),
    ...(edges ? ['--edges', edges.name] : []),
    // Other settings of the folder would change the model.
    ...['--skip-bad-anchors', '--no-project', '-o', model]
  ]
  const files = [anchors, ...(hasLabels ? [labels] : []), ...(edges ? [edges] : [])]
  return {line: lineOf(words), files, report: reportLine(project, model, judged)}
}

function byProject(
  project: Project,
  documents: readonly string[],
  {file, model, judged}: {readonly file: string; readonly model: string; readonly judged: JudgedFiles | undefined}
): SameCommand {
  const {count, hash} = project.documents ?? {count: 0, hash: ''}
  const text = projectToText({...project, documents: {files: documents, count, hash}})
  return {
    line: lineOf(['adfa', 'fit', '--project', path(file), '-o', model]),
    files: [{name: file, text}],
    report: reportLine(project, model, judged)
  }
}

/** The model knows how its documents are read, but for their files. */
function reportLine({name, reading}: Project, model: string, judged?: JudgedFiles): string {
  const {data = [], train = [], isHeldOut = false} = judged ?? {}
  const {format, encoding} = reading
  return lineOf([
    ...['adfa', 'report', model, '--counts', COUNTS],
    ...(data.length > 0 ? ['--data', ...data.map(path)] : []),
    ...(train.length > 0 ? ['--train', ...train.map(path), '--baselines'] : []),
    ...(data.length > 0
      ? [...flags('holdOut', isHeldOut), ...flags('format', format), ...flags('encoding', encoding)]
      : []),
    ...['--no-project', '-o', REPORT, `--title=${name}`]
  ])
}

/** Whether flags can name all fields: names are separated by commas there, and lose blanks around them. */
function isPlain({text, category = [], list = [], votes = []}: Reading): boolean {
  return [...text, ...category, ...list, ...votes].every(name => name === name.trim() && !name.includes(','))
}

/** The settings that differ from the defaults. */
function readingFlags(reading: Reading): string[] {
  const {text, number = [], ...others} = reading
  const defaults = new Map<string, unknown>(Object.entries(vocabularyDefaults))
  return [
    ...(text.join() === vocabularyDefaults.text.join() ? [] : ['--text', text.join()]),
    ...number.flatMap(bins => ['--number', bins]),
    ...Object.entries(others).flatMap(([name, value]) => (value === defaults.get(name) ? [] : flags(name, value)))
  ]
}

/** An option of the command line: `maxShare` is --max-share. False and undefined ask for nothing, and neither does an empty list. */
function flags(name: string, value: unknown): string[] {
  const flag = `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
  if (value === undefined || value === false || (Array.isArray(value) && value.length === 0)) return []
  return value === true ? [flag] : [flag, String(value)]
}

/** A file whose name looks like a flag, or stands for standard input, is named by its folder. */
function path(name: string): string {
  return name.startsWith('-') ? `./${name}` : name
}

function lineOf(words: readonly string[]): string {
  return words.map(quoted).join(' ')
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
