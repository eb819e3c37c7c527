import {checkFeatureCount} from '../data/index.ts'
import {documentError} from '../reading/index.ts'

export type ArffAttribute =
  | {readonly name: string; readonly kind: 'number' | 'text' | 'date'}
  | {readonly name: string; readonly kind: 'nominal'; readonly values: readonly string[]}

export interface ArffHeader {
  /** The name of the data, in which MEKA writes how many attributes are labels. */
  readonly relation: string
  readonly attributes: readonly ArffAttribute[]
}

/** Takes the lines of a header one by one; returns the header at `@data`. */
export function createHeaderReader(): (line: string, where: string) => ArffHeader | undefined {
  const attributes = new Map<string, ArffAttribute>()
  let relation = ''
  return (line, where) => {
    const words = arffWords(line, where)
    if (words.length === 0) return undefined
    switch (words[0].toLowerCase()) {
      case '@relation':
        relation = words.slice(1).map(wordText).join(' ')
        return undefined
      case '@attribute': {
        const attribute = parseAttribute(words, where)
        if (attributes.has(attribute.name))
          throw documentError(
            where,
            `a second attribute is named "${attribute.name}"`,
            'every attribute needs its own name'
          )
        attributes.set(attribute.name, attribute)
        checkFeatureCount(attributes.size, where, 'file', 'attributes')
        return undefined
      }
      case '@data':
        if (attributes.size === 0)
          throw documentError(where, 'there is no @attribute line before @data', 'every value needs its attribute')
        return {relation, attributes: [...attributes.values()]}
      default:
        throw documentError(
          where,
          `"${words[0].slice(0, 80)}" is not known here`,
          'before the line @data there are lines @relation, @attribute and comments (%)'
        )
    }
  }
}

function parseAttribute(words: readonly string[], where: string): ArffAttribute {
  const [, first = '', type = '', ...rest] = words
  const name = wordText(first)
  if (name === '' || first === '{')
    throw documentError(where, 'the attribute has no name', 'write @attribute name type, with quotes around odd names')
  if (type === '{') {
    const end = rest.indexOf('}')
    if (end < 0) throw documentError(where, `the values of "${name}" do not end with }`, 'write them all on one line')
    checkFeatureCount(end, where, `attribute "${name}"`, 'values')
    return {name, kind: 'nominal', values: rest.slice(0, end).map(wordText)}
  }
  const kind = kinds.get(type.toLowerCase())
  if (kind !== undefined) return {name, kind}
  throw documentError(
    where,
    `the attribute "${name}" has ${type === '' ? 'no type' : `the type ${type}`}`,
    'known are numeric, real, integer, string, date and values such as {0,1}'
  )
}

const kinds: ReadonlyMap<string, 'number' | 'text' | 'date'> = new Map([
  ['numeric', 'number'],
  ['real', 'number'],
  ['integer', 'number'],
  ['string', 'text'],
  ['date', 'date']
])

/**
 * Cut a line of an ARFF file into words as Weka does: blanks and commas separate, braces are words of their own, `%`
 * begins a comment, quotes hold words together. Quoted words keep their quotes, so that `'?'` is not the missing value
 * `?`; {@link wordText} takes them off.
 */
export function arffWords(line: string, where: string): readonly string[] {
  if (!/['"%]/.test(line)) return line.match(/[{}]|[^ \t,{}]+/g) ?? []
  const words: string[] = []
  const plain = /[^ \t,{}%]+/y
  for (let at = 0; at < line.length && line[at] !== '%'; ) {
    if (line[at] === ',' || line[at] === ' ' || line[at] === '\t') {
      at++
      continue
    }
    let end = at + 1
    if (line[at] === "'" || line[at] === '"') end = closingQuote(line, at, where) + 1
    else if (line[at] !== '{' && line[at] !== '}') {
      plain.lastIndex = at
      plain.test(line)
      end = plain.lastIndex
    }
    words.push(line.slice(at, end))
    at = end
  }
  return words
}

/** The text of a word, without its quotes. Inside them a backslash escapes the next character. */
export function wordText(word: string): string {
  if (!/^['"]/.test(word)) return word
  const text = word.slice(1, -1)
  return text.includes('\\') ? text.replace(/\\(u[0-9a-fA-F]{4}|.)/g, (_, code: string) => unescaped(code)) : text
}

const escapes: Readonly<Record<string, string>> = {n: '\n', r: '\r', t: '\t'}

function unescaped(code: string): string {
  return code.length > 1 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (escapes[code] ?? code)
}

function closingQuote(line: string, open: number, where: string): number {
  for (let at = open + 1; at < line.length; at++) {
    if (line[at] === '\\') at++
    else if (line[at] === line[open]) return at
  }
  throw documentError(
    where,
    `the quote ${line[open]} at character ${open + 1} is never closed`,
    'a quoted word ends on its line, with the quote it begins with; write a quote inside it as \\" or \\\''
  )
}
