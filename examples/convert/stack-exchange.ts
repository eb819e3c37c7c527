/**
 * The questions in `Posts.xml` of a Stack Exchange dump, as documents with `id`, `title`, `text` (the body without markup and code),
 * `tags`, `score`, `views` and `year`:
 *
 *     npx tsx examples/convert/stack-exchange.ts Posts.xml > posts.jsonl
 *     7z x -so cooking.stackexchange.com.7z Posts.xml | npx tsx examples/convert/stack-exchange.ts - > posts.jsonl
 *
 * Answers and other kinds of posts, deleted posts and posts without a title are skipped; a malformed row is an error.
 */
import {htmlText} from './html-text.ts'
import {linesOf, writeDocuments} from './lines.ts'

const QUESTION = '1'

/** A dump has one `<row>` per line, which keeps everything in its attributes. */
export async function* stackExchange(path: string): AsyncGenerator<object> {
  let place: 'before' | 'inside' | 'after' = 'before'
  for await (const {text, where} of linesOf(path)) {
    const line = text.trim()
    if (line === '' || /^<(?:\?xml |!--.*-->$)/.test(line)) continue
    if (place === 'before' && /^<posts(?:\s[^>]*)?>$/.test(line)) place = 'inside'
    else if (place === 'inside' && line === '</posts>') place = 'after'
    else if (place === 'inside') {
      const question = questionOf(attributesOf(line, where), where)
      if (question !== undefined) yield question
    } else
      throw new Error(`${where}: not a Posts.xml, which has lines of <row .../> inside <posts>; take it from a dump`)
  }
  if (place !== 'after') throw new Error(`${path}: the file does not end with </posts>; copy or download it again`)
}

type Attributes = ReadonlyMap<string, string>

function attributesOf(line: string, where: string): Attributes {
  const attributes = new Map<string, string>()
  const attribute = /\s+(\w+)="([^"<]*)"/y
  attribute.lastIndex = '<row'.length
  let end = attribute.lastIndex
  for (let match = attribute.exec(line); match !== null; match = attribute.exec(line)) {
    attributes.set(match[1], plain(match[2], where))
    end = attribute.lastIndex
  }
  if (line.startsWith('<row') && /^\s*\/>$/.test(line.slice(end))) return attributes
  throw new Error(`${where}: not a whole <row .../> on one line; correct the line, or download the dump again`)
}

const ENTITIES: Readonly<Record<string, string>> = {amp: '&', lt: '<', gt: '>', quot: '"', apos: "'"}

function plain(value: string, where: string): string {
  return value.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+))?;?/gi, (entity, hex, decimal, name) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    const text = name === undefined ? (code <= 0x10ffff ? String.fromCodePoint(code) : undefined) : ENTITIES[name]
    if (text !== undefined && entity.endsWith(';')) return text
    throw new Error(`${where}: ${entity} is not a character of XML; correct the line, or download the dump again`)
  })
}

/** The question in a row; undefined for another kind of post, a deleted one or one without a title. */
function questionOf(row: Attributes, where: string): object | undefined {
  const id = numberOf(row, 'Id', where)
  if (id === undefined) throw bad(where, 'Id', undefined, 'a whole number')
  if (numberOf(row, 'PostTypeId', where) === undefined) throw bad(where, 'PostTypeId', undefined, 'a whole number')
  const [title, body, tags] = ['Title', 'Body', 'Tags'].map(name => row.get(name))
  const isSkipped = row.get('PostTypeId') !== QUESTION || row.has('DeletionDate')
  if (isSkipped || title === undefined || title.trim() === '') return undefined
  return {
    id,
    title,
    text: body === undefined ? undefined : htmlText(body),
    tags: tags === undefined ? undefined : tagsOf(tags, where),
    score: numberOf(row, 'Score', where),
    views: numberOf(row, 'ViewCount', where),
    year: yearOf(row.get('CreationDate'), where)
  }
}

/** `<c#><unit-testing>`, or `|c#|unit-testing|` since 2024. */
function tagsOf(text: string, where: string): readonly string[] {
  if (text.trim() === '') return []
  const [, angled, barred] = /^\s*(?:<([^|]+)>|\|([^<>]+)\|)\s*$/.exec(text) ?? []
  const tags = angled?.split('><') ?? barred?.split('|') ?? []
  if (tags.length > 0 && tags.every(tag => tag.trim() !== '' && !/[<>|]/.test(tag))) return tags
  throw bad(where, 'Tags', text, 'tags such as <c#><unit-testing> or |c#|unit-testing|')
}

function yearOf(date: string | undefined, where: string): number | undefined {
  if (date === undefined) return undefined
  const [, year] = /^(\d{4})-\d{2}-\d{2}(?:T|$)/.exec(date) ?? []
  if (year !== undefined) return Number(year)
  throw bad(where, 'CreationDate', date, 'a date such as 2008-07-31T21:42:52.667')
}

function numberOf(row: Attributes, name: string, where: string): number | undefined {
  const value = row.get(name)
  if (value === undefined || /^-?\d{1,15}$/.test(value)) return value === undefined ? undefined : Number(value)
  throw bad(where, name, value, 'a whole number')
}

function bad(where: string, attribute: string, value: string | undefined, rule: string): Error {
  const shown = value === undefined ? 'nothing' : `"${value.slice(0, 80)}"`
  return new Error(`${where}: the row has the ${attribute} ${shown}; expected ${rule}`)
}

await writeDocuments(import.meta.url, 'Posts.xml', stackExchange)
