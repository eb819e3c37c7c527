/**
 * ARFF, the format of Weka, as MEKA and Mulan write data with several labels; rows are dense (`1,0,?`) or sparse (`{0 1, 7 red}`):
 *
 *     npx tsx examples/convert/arff.ts notes.arff --fields age,ward > notes.jsonl
 *     npx tsx examples/convert/arff.ts emotions.arff --labels emotions.xml > emotions.jsonl
 *
 * Labels are the first 53 attributes where the relation says `-C 53`, the last 53 for `-C -53` (MEKA), or those that a file lists
 * (Mulan). Those that are 1 are `tags`; where one of them is missing (`?`), the others are `labels` instead. Strings, dates and the
 * attributes named by --fields become fields; of all others a number 1 or a value of `{0,1}` is the feature `name`, and another
 * value the feature `name:value`.
 */
import {readFileSync} from 'node:fs'
import {linesOf, writeDocuments} from './lines.ts'

interface Attribute {
  readonly name: string
  readonly kind: 'number' | 'text' | 'nominal'
  readonly values: readonly string[]
}

type Take = (text: string | undefined, draft: Draft, where: string) => void

/** What the values of one row are collected in. */
interface Draft {
  readonly fields: Record<string, string | number>
  readonly features: string[]
  readonly tags: string[]
  readonly unknown: Set<string>
}

export async function* arff(path: string, options: readonly string[]): AsyncGenerator<object> {
  const option = (name: string) => (options.includes(name) ? options[options.indexOf(name) + 1] : undefined)
  const listed = option('--labels')
  const named = option('--fields')?.split(',') ?? []
  const attributes: Attribute[] = []
  let relation = ''
  let rowOf: ((text: string, where: string) => object) | undefined
  let row = 0
  for await (const {text, where} of linesOf(path)) {
    if (text.trim() === '' || text.trimStart().startsWith('%')) continue
    if (rowOf !== undefined) {
      yield {id: ++row, ...rowOf(text, where)}
      continue
    }
    const words = wordsOf(text, where)
    const keyword = words[0].toLowerCase()
    if (keyword === '@relation') relation = words.slice(1).map(wordText).join(' ')
    else if (keyword === '@attribute') attributes.push(attributeOf(words, where))
    else if (keyword === '@data') rowOf = rowReader(attributes, labelsOf(relation, attributes, listed), named)
    else
      throw new Error(`${where}: "${words[0]}" is not known before @data; lines are @relation, @attribute and comments`)
  }
  if (rowOf === undefined) throw new Error(`${path}: the file ends without a line @data; copy it again`)
}

const KINDS: Readonly<Record<string, Attribute['kind']>> = {
  numeric: 'number',
  real: 'number',
  integer: 'number',
  string: 'text',
  date: 'text'
}

function attributeOf([, name = '', type = '', ...rest]: readonly string[], where: string): Attribute {
  const kind = type === '{' ? 'nominal' : KINDS[type.toLowerCase()]
  const end = rest.indexOf('}')
  if (kind === undefined || (kind === 'nominal' && end < 0))
    throw new Error(`${where}: write @attribute name type; types are numeric, string, date and values such as {0,1}`)
  return {name: wordText(name), kind, values: kind === 'nominal' ? rest.slice(0, end).map(wordText) : []}
}

/** The names of the attributes that are labels. */
function labelsOf(relation: string, attributes: readonly Attribute[], listed: string | undefined): ReadonlySet<string> {
  const names = attributes.map(({name}) => name)
  const [, count] = /(?:^|[\s:])-C\s+(-?\d+)/.exec(relation) ?? []
  if (count !== undefined)
    return new Set(Number(count) < 0 ? names.slice(Number(count)) : names.slice(0, Number(count)))
  if (listed === undefined) return new Set()
  const labels = Array.from(readFileSync(listed, 'utf8').matchAll(/<label\s+name="([^"]*)"/g), ([, name]) => name)
  const other = labels.find(name => !names.includes(name))
  if (other !== undefined) throw new Error(`${listed}: the label "${other}" is not an attribute of the file`)
  return new Set(labels)
}

function rowReader(attributes: readonly Attribute[], labels: ReadonlySet<string>, named: readonly string[]) {
  const missing = named.find(name => !attributes.some(attribute => attribute.name === name))
  if (missing !== undefined) throw new Error(`--fields: there is no attribute "${missing}"`)
  const takes = attributes.map(attribute => takeOf(attribute, labels, named))
  // A sparse row omits zeros or, as in Weka, the first value of a nominal attribute.
  const omitted = attributes.map(({kind, values}) => (kind === 'number' ? '0' : values[0]))
  return (line: string, where: string): object => {
    const draft: Draft = {fields: Object.create(null), features: [], tags: [], unknown: new Set()}
    const words = wordsOf(line, where)
    const values = words[0] === '{' ? sparseValues(words, omitted, where) : words.map(valueText)
    if (values.length !== attributes.length)
      throw new Error(`${where}: the row has ${values.length} values for ${attributes.length} attributes`)
    for (const [at, take] of takes.entries()) take(values[at], draft, where)
    const {fields, features, tags, unknown} = draft
    const known = [...labels].filter(name => !unknown.has(name))
    const own = {...fields, features}
    if (labels.size === 0) return own
    if (unknown.size === 0) return {...own, tags}
    return {...own, labels: Object.fromEntries(known.map(name => [name, tags.includes(name)]))}
  }
}

function sparseValues(words: readonly string[], omitted: readonly (string | undefined)[], where: string) {
  const values = [...omitted]
  const end = words.length - 1
  if (words[end] !== '}' || end % 2 === 0)
    throw new Error(`${where}: a sparse row is {index value, index value}, without a weight`)
  for (let at = 1, last = -1; at < end; at += 2) {
    const place = Number(words[at])
    if (!Number.isInteger(place) || place <= last || place >= values.length)
      throw new Error(`${where}: the index ${words[at]}: indices rise from 0 to ${values.length - 1}`)
    values[place] = valueText(words[at + 1])
    last = place
  }
  return values
}

/** The text of a value; undefined where it is missing. */
function valueText(word: string): string | undefined {
  return word === '?' ? undefined : wordText(word)
}

function takeOf(attribute: Attribute, labels: ReadonlySet<string>, named: readonly string[]): Take {
  const {name, kind, values} = attribute
  if (labels.has(name))
    return (text, {tags, unknown}, where) => {
      if (text === undefined) unknown.add(name)
      else if (/^(?:1(?:\.0*)?|true|yes)$/i.test(text)) tags.push(name)
      else if (!/^(?:0(?:\.0*)?|false|no)$/i.test(text))
        throw new Error(`${where}: the label "${name}" is ${text}; labels are 0 or 1, false or true, no or yes`)
    }
  if (kind === 'text' || named.includes(name))
    return (text, {fields}) => {
      if (text !== undefined) fields[name] = kind === 'number' ? Number(text) : text
    }
  if (kind === 'number')
    return (text, {features}, where) => {
      if (text === undefined || Number(text) === 0) return
      if (Number(text) !== 1)
        throw new Error(`${where}: "${name}" is ${text}, neither 0 nor 1; read it as a field, --fields ${name}`)
      features.push(name)
    }
  const isBinary = values.every(value => value === '0' || value === '1')
  return (text, {features}, where) => {
    if (text === undefined || (isBinary && text === '0')) return
    if (!values.includes(text)) throw new Error(`${where}: "${name}" is "${text}"; its values are ${values.join(', ')}`)
    features.push(isBinary ? name : `${name}:${text}`)
  }
}

/**
 * The words of a line as Weka cuts them: blanks and commas separate, braces are words of their own, `%` begins a comment. Quoted
 * words keep their quotes, so that `'?'` is not the missing value `?`.
 */
function wordsOf(line: string, where: string): readonly string[] {
  const word = /[\s,]*(?:([{}])|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|([^\s,{}%'"][^\s,{}%]*)|(%.*)?$)/y
  const words: string[] = []
  for (let match = word.exec(line); match !== null; match = word.exec(line)) {
    const [, brace, quoted, plain] = match
    const found = brace ?? quoted ?? plain
    if (found === undefined) return words
    words.push(found)
  }
  throw new Error(`${where}: a quote is never closed; a quoted word ends on its line, with the quote it begins with`)
}

const ESCAPES: Readonly<Record<string, string>> = {n: '\n', r: '\r', t: '\t'}

function wordText(word: string): string {
  if (!/^['"]/.test(word)) return word
  return word
    .slice(1, -1)
    .replace(/\\(u[\da-fA-F]{4}|.)/g, (_, code: string) =>
      code.length > 1 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (ESCAPES[code] ?? code)
    )
}

await writeDocuments(import.meta.url, 'notes.arff [--fields NAMES] [--labels notes.xml]', arff)
