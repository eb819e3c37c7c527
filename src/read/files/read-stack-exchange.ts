import {SaxesParser} from 'saxes'
import {AdfaError} from '../../base/checks/index.ts'
import {parseRow, type Row} from '../data/index.ts'
import {
  documentError,
  htmlText,
  type ReaderContext,
  recordLimit,
  shorten,
  tooLong,
  withFixedKeys
} from '../reading/index.ts'
import {textPieces} from './text-pieces.ts'

/**
 * `Posts.xml` of a Stack Exchange dump: every `<row>` that is a question becomes a document with `id`, `title`, `text` (the
 * body without markup and code), `tags`, `score`, `views` and `year`. Other kinds of posts, deleted posts and posts without a
 * title are skipped; a malformed row is an error, with its line.
 *
 * saxes parses the XML: only the five entities of XML are expanded, nothing outside the file is fetched. Memory: a piece and a row.
 */
export async function* readStackExchange(
  chunks: AsyncIterable<Uint8Array>,
  context: ReaderContext
): AsyncGenerator<readonly Row[]> {
  const parser = postParser(context)
  let isEmpty = true
  for await (const text of textPieces(chunks, context.name, parser.line)) {
    isEmpty = false
    yield parser.write(text)
  }
  if (!isEmpty) yield parser.end()
}

interface PostParser {
  line(): number
  /** The documents that are complete with this piece of the file. */
  write(text: string): readonly Row[]
  /** To be called after the last piece: throws when the file is cut short. */
  end(): readonly Row[]
}

function postParser({name, fields}: ReaderContext): PostParser {
  const own = withFixedKeys(fields)
  const parser = new SaxesParser()
  let rows: Row[] = []
  let depth = 0
  let hasRoot = false
  let firstLine = 1
  let isEnding = false
  /** Characters since the latest tag. */
  let pending = 0

  const refuse = (line: number, what: string, cause?: unknown) =>
    new AdfaError('bad-document', `${name}:${line}: ${what}`, cause === undefined ? {} : {cause})
  parser.on('error', error => {
    throw refuse(parser.line, xmlProblem(error, hasRoot, isEnding), error)
  })
  parser.on('opentagstart', () => {
    // The character after the name has been read; when that was a line end, the tag began on the line before.
    firstLine = parser.column === 0 ? parser.line - 1 : parser.line
    hasRoot = true
  })
  parser.on('opentag', ({name: element, attributes}) => {
    pending = 0
    if (depth === 0 && element !== 'posts') throw refuse(firstLine, wrongRoot(element))
    if (depth === 1 && element !== 'row') throw refuse(firstLine, `<${element}> stands among the posts; ${onlyRows}`)
    if (depth > 1) throw refuse(firstLine, `<${element}> stands inside a row; ${onlyRows}`)
    if (depth++ === 0) return
    const where = `${name}:${firstLine}`
    const value = postValue(attributes, where)
    if (value !== undefined) rows.push(parseRow(value, own, where))
  })
  parser.on('closetag', () => {
    depth--
  })
  const onText = (text: string) => {
    if (text.trim() !== '') throw refuse(parser.line, `text stands outside the attributes of a row; ${onlyRows}`)
  }
  parser.on('text', onText)
  parser.on('cdata', onText)

  const take = () => {
    const taken = rows
    rows = []
    return taken
  }
  return {
    line: () => parser.line,
    write(text) {
      pending += text.length
      parser.write(text)
      if (pending > recordLimit) throw tooLong(name, firstLine, 'row', 'look for a quote that is never closed')
      return take()
    },
    end() {
      isEnding = true
      parser.close()
      return take()
    }
  }
}

const onlyRows = 'a Posts.xml holds <row> elements that keep everything in their attributes; download the dump again'

function wrongRoot(element: string): string {
  return (
    `this is not a Stack Exchange Posts.xml; its first element is <${element}> where <posts> is expected; ` +
    'of a dump, take the file Posts.xml; if it is another format, give its `format`'
  )
}

function xmlProblem(error: Error, hasRoot: boolean, isEnding: boolean): string {
  // saxes puts line and column in front.
  const reason = error.message.replace(/^[0-9]+:[0-9]+: /, '').replace(/\.$/, '')
  if (isEnding && hasRoot) return `the file ends too early (${reason}); it is cut short; copy or download it again`
  if (!hasRoot)
    return (
      `this is not a Stack Exchange Posts.xml (${reason}); it must be XML whose first element is <posts>; ` +
      'check that it is the right file, or give its `format`'
    )
  return `not valid XML: ${reason}; nothing is skipped or guessed; correct the line, or download the dump again`
}

/** A question of a Stack Exchange dump, as the fields of a document. */
interface PostValue {
  readonly id: number
  readonly title: string
  readonly text?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly score?: number | undefined
  readonly views?: number | undefined
  readonly year?: number | undefined
}

const question = '1'

/** The question in the attributes of a `<row>`; undefined for another kind of post, a deleted one or one without a title. */
function postValue(attributes: Readonly<Record<string, string>>, where: string): PostValue | undefined {
  const {PostTypeId: kind, Title: title, Body: body, Tags: tags} = attributes
  const id = wholeNumber(attributes, 'Id', where)
  if (id === undefined) throw badPost(where, 'Id', undefined, 'a number')
  if (kind !== question) {
    if (wholeNumber(attributes, 'PostTypeId', where) === undefined) throw badPost(where, 'PostTypeId', kind, 'a number')
    return undefined
  }
  if (attributes.DeletionDate !== undefined || title === undefined || title.trim() === '') return undefined
  return {
    id,
    title: detached(title),
    text: body === undefined ? undefined : detached(htmlText(body)),
    tags: tags === undefined ? undefined : postTags(detached(tags), where),
    score: wholeNumber(attributes, 'Score', where),
    views: wholeNumber(attributes, 'ViewCount', where),
    year: postYear(attributes.CreationDate, where)
  }
}

/** `<c#><unit-testing>`, or `|c#|unit-testing|` since 2024. */
function postTags(tags: string, where: string): readonly string[] {
  const text = tags.trim()
  if (text === '') return []
  const isAngled = text.startsWith('<') && text.endsWith('>')
  const isBarred = text.startsWith('|') && text.endsWith('|')
  const list = isAngled ? text.slice(1, -1).split('><') : isBarred ? text.slice(1, -1).split('|') : []
  if (list.length === 0 || list.some(tag => tag.trim() === '' || /[<>|]/.test(tag)))
    throw badPost(where, 'Tags', tags, 'tags such as <c#><unit-testing> or |c#|unit-testing|')
  return list
}

function postYear(date: string | undefined, where: string): number | undefined {
  if (date === undefined) return undefined
  const year = /^([0-9]{4})-[0-9]{2}-[0-9]{2}(T|$)/.exec(date)?.[1]
  if (year === undefined) throw badPost(where, 'CreationDate', date, 'a date such as 2008-07-31T21:42:52.667')
  return Number(year)
}

function wholeNumber(attributes: Readonly<Record<string, string>>, name: string, where: string): number | undefined {
  const value = attributes[name]
  if (value === undefined) return undefined
  if (!/^-?[0-9]{1,15}$/.test(value)) throw badPost(where, name, value, 'a whole number')
  return Number(value)
}

/**
 * A copy with its own memory. Text cut out of a piece of a file, and words cut out of that text, would keep the whole
 * piece alive for as long as one of them is kept.
 */
function detached(text: string): string {
  return Buffer.from(text).toString()
}

function badPost(where: string, attribute: string, got: string | undefined, rule: string): AdfaError {
  const shown = got === undefined ? 'nothing' : `"${shorten(got)}"`
  const expected = `expected ${rule}; correct the row, or download the dump again`
  return documentError(where, `the row has the ${attribute} ${shown}`, expected)
}
