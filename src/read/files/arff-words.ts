import {AdfaError} from '../../base/checks/index.ts'

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

/** What a word says, without its quotes. Inside them a backslash gives the next character another or no meaning. */
export function wordText(word: string): string {
  if (!isQuoted(word)) return word
  const text = word.slice(1, -1)
  return text.includes('\\') ? text.replace(/\\(u[0-9a-fA-F]{4}|.)/g, (_, code: string) => unescaped(code)) : text
}

function isQuoted(word: string): boolean {
  return word.startsWith("'") || word.startsWith('"')
}

function unescaped(code: string): string {
  if (code.length > 1) return String.fromCharCode(Number.parseInt(code.slice(1), 16))
  switch (code) {
    case 'n':
      return '\n'
    case 'r':
      return '\r'
    case 't':
      return '\t'
    default:
      return code
  }
}

function closingQuote(line: string, open: number, where: string): number {
  for (let at = open + 1; at < line.length; at++) {
    if (line[at] === '\\') at++
    else if (line[at] === line[open]) return at
  }
  throw new AdfaError(
    'bad-document',
    `${where}: the quote ${line[open]} at character ${open + 1} is never closed; a quoted word ends on its line, with the ` +
      'quote it begins with; write a quote inside it as \\" or \\\''
  )
}
