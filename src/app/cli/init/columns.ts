import {AdfaError, nearestName} from '../../../base/checks/index.ts'
import {counted} from '../../../base/text/index.ts'
import {openDocuments} from '../../../read/files/index.ts'
import {
  BY_NAME,
  type ColumnGuess,
  columnRoles,
  guessColumns,
  PREDICTED,
  type Role,
  readingFor,
  roleWords,
  type SurveyedColumns,
  surveyColumns
} from '../../../read/reading/index.ts'
import {textTable} from '../../present/index.ts'
import {askText} from '../ask.ts'
import {type FileOptions, usageError} from '../common-options.ts'
import type {Output} from '../output.ts'
import {progressOf} from '../read-input.ts'

/** The columns of documents and what they seem to be. */
export interface Columns extends SurveyedColumns {
  readonly guesses: readonly ColumnGuess[]
}

/** Looks at the first rows. A list that names `concepts` is taken for tags. */
export async function readColumns(
  paths: readonly string[],
  files: FileOptions,
  concepts: readonly string[],
  output: Output
): Promise<Columns> {
  const source = openDocuments(paths, {text: [], keepsRecords: 'only', ...files})
  const onProgress = progressOf(source, output)
  try {
    const survey = await surveyColumns(source.batches(), rows => onProgress('looking at the columns', rows))
    return withNamedTags({...survey, guesses: guessColumns(survey.facts, survey.rows)}, concepts, output)
  } finally {
    output.done()
    await source.close()
  }
}

/** A column that names as many concepts holds tags. */
const FEWEST_NAMES = 2

/**
 * Takes a list that names concepts for the tags, unless the table has a column of tags: as evidence it would give the model the
 * answers, and every figure would flatter it.
 */
function withNamedTags(columns: Columns, concepts: readonly string[], output: Output): Columns {
  const {facts, guesses} = columns
  if (guesses.some(({role}) => role === 'tags')) return columns
  const names = new Set(concepts.map(name => name.toLowerCase()))
  const named = guesses.map(({role, detail}, at) => {
    if (role !== 'list' || detail === '') return 0
    const items = [...facts[at].values.keys()].flatMap(value => value.toLowerCase().split(detail))
    return new Set(items.map(item => item.trim()).filter(item => names.has(item))).size
  })
  const most = Math.max(0, ...named)
  if (most < FEWEST_NAMES) return columns
  const {name} = guesses[named.indexOf(most)]
  output.note(
    `"${name}" names ${counted(most, 'concept')}, so it is read as tags, which are no evidence; --column "${name}=list" makes it evidence`
  )
  return {...columns, guesses: guesses.map(guess => (guess.name === name ? {...guess, role: 'tags'} : guess))}
}

/** Shows the columns, with `changes` made, and in a terminal asks about them until they are accepted. */
export async function settleColumns(
  columns: Columns,
  changes: readonly string[],
  isAsking: boolean,
  output: Output
): Promise<readonly ColumnGuess[]> {
  const change = (guesses: readonly ColumnGuess[], text: string) =>
    text === '' ? guesses : changeColumns(columns, guesses, text)
  const show = () => output.print(`${columnTable(columns, guesses)}\n`)
  let guesses = changes.reduce(change, columns.guesses)
  show()
  noteDoubts(columns, guesses, output)
  const question = `Enter accepts. To change a column, NAME=ROLE (${columnRoles.join(', ')}):`
  while (isAsking) {
    const answer = await askText(question, text => change(guesses, text))
    if (answer === '') break
    guesses = change(guesses, answer)
    show()
  }
  const {text: fields, ...others} = readingFor(guesses) as {text: readonly string[]}
  const isRead = guesses.some(({name, detail}) => detail === BY_NAME && name !== 'labels')
  if (!isRead && fields.length === 0 && ['category', 'number', 'list', 'votes'].every(key => !(key in others)))
    throw new AdfaError(
      'bad-file',
      `no column of the ${counted(columns.facts.length, 'column')} can be read as text, a category, a number or a list; name one with --column NAME=text`
    )
  return guesses
}

/** Notes tags that adfa wrote, and numbers that may mean two things. */
function noteDoubts({facts}: Columns, guesses: readonly ColumnGuess[], output: Output): void {
  if (guesses.some(({name}) => name === 'tags') && guesses.some(({detail}) => detail === PREDICTED))
    output.note(
      'adfa has tagged these documents, and its tags would be taken for true ones: give the documents without them'
    )
  for (const [at, {name, ambiguous}] of facts.entries())
    if (ambiguous !== undefined && guesses[at].role !== 'skip')
      output.note(
        `"${name}": ${ambiguous.text} is read as ${ambiguous.value}, though it may mean something else; one number such as 0.5 or 0,5 in the column shows it`
      )
}

/** The columns as a table: name, role and an example. */
function columnTable({facts}: Columns, guesses: readonly ColumnGuess[]): string {
  const rows = guesses.map((guess, at) => [`  ${guess.name}`, roleWords(guess), clip(facts[at].example, 50)])
  // The last row decides on which side a column is aligned.
  return textTable([['  column', 'read as', 'example'], ...rows, ['', '', '~']]).replace(/\n[ ~]*$/, '')
}

function clip(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > most ? `${line.slice(0, most - 3)}...` : line
}

/** The guesses with a change such as `age=category` or `age=number:5`. There is one id, and one column of tags. */
function changeColumns(columns: Columns, guesses: readonly ColumnGuess[], change: string): ColumnGuess[] {
  const cut = change.lastIndexOf('=')
  const name = change.slice(0, Math.max(0, cut)).trim()
  const [, asked = '', detail] = /^\s*(\w+)\s*(?::(.*))?$/.exec(change.slice(cut + 1)) ?? []
  const names = guesses.map(guess => guess.name)
  const column = names.find(own => own === name) ?? names.find(own => own.toLowerCase() === name.toLowerCase())
  const role = columnRoles.find(own => own === asked.toLowerCase())
  if (cut < 0) throw usageError(`"${change}" is no change of a column; write COLUMN=ROLE, such as ${names[0]}=skip`)
  if (column === undefined)
    throw usageError(`there is no column "${name}"; the columns are ${names.join(', ')}${meant(name, names)}`)
  if (role === undefined)
    throw usageError(`a column is read as ${columnRoles.join(', ')}, not "${asked}"${meant(asked, columnRoles)}`)
  return guesses.map((guess, at) => {
    if (guess.name === column) return {name: column, role, detail: detail?.trim() ?? usualDetail(columns, at, role)}
    return (role === 'id' || role === 'tags') && guess.role === role ? {...guess, role: 'skip', detail: ''} : guess
  })
}

function meant(name: string, names: readonly string[]): string {
  const near = nearestName(name, names)
  return near === undefined ? '' : `; did you mean "${near}"?`
}

/** The bins or the separator of a column that was guessed to be something else. */
function usualDetail({facts, guesses}: Columns, at: number, role: Role): string {
  const {name, numbers, filled, notNumber, looked} = facts[at]
  if (guesses[at].role === role) return guesses[at].detail
  if (role === 'number' && 2 * numbers.length < filled)
    throw usageError(`the column "${name}" has values that are not numbers, such as "${notNumber}"`)
  if (role === 'number') return '1'
  if (role !== 'list' && role !== 'tags') return ''
  return ['|', ';', ','].find(separator => looked.some(text => text.includes(separator))) ?? ''
}
