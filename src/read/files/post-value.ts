import {AdfaError} from '../../base/checks/index.ts'
import {htmlText} from './html-text.ts'

/** What a question of a Stack Exchange dump says, in the fields of a document. */
export interface PostValue {
  readonly id: number
  readonly title: string
  readonly text?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly score?: number | undefined
  readonly views?: number | undefined
  readonly year?: number | undefined
}

const question = '1'

/** The question in the attributes of a `<row>`; undefined when the row is another kind of post, deleted or without title. */
export function postValue(attributes: Readonly<Record<string, string>>, where: string): PostValue | undefined {
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
 * A copy with memory of its own. Text cut out of a piece of a file, and words cut out of that in turn, would keep the
 * whole piece alive for as long as one of them is kept.
 */
function detached(text: string): string {
  return Buffer.from(text).toString()
}

function badPost(where: string, attribute: string, got: string | undefined, rule: string): AdfaError {
  const shown = got === undefined ? 'nothing' : `"${got.length > 80 ? `${got.slice(0, 80)}...` : got}"`
  return new AdfaError(
    'bad-document',
    `${where}: the row has the ${attribute} ${shown}; expected ${rule}; mend the row, or download the dump again`
  )
}
