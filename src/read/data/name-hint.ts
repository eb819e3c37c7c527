import {nearestName} from '../../base/checks/index.ts'
import {counted} from '../../base/text/index.ts'
import {readFeatureName} from './feature-name.ts'
import type {TextOptions} from './lexicon.ts'
import {fieldNames} from './row-fields.ts'
import {byCodeUnit} from './token-frequencies.ts'

export interface SeenFeature {
  readonly name: string
  readonly documents: number
}

/** Shorter words have too many neighbours to guess what was meant. */
const LEAST_LETTERS = 4

/**
 * What may have been meant by a name that never occurs: the same word in another field (`home_meds:metformin` for
 * `metformin`), a field that does not exist, or a similar spelling. Undefined for a regular expression, and where nothing is near. Cost: O(features).
 */
export function nameHint(missing: string, reading: TextOptions, seen: Iterable<SeenFeature>): string | undefined {
  const {rest, pattern} = readFeatureName(missing, reading)
  if (pattern !== undefined) return undefined
  const word = rest.toLowerCase()
  const fields = fieldNames(reading)
  const features = [...seen].map(feature => ({...feature, word: bareWord(feature.name, fields)}))
  const [, prefix = '', inField = ''] = /^([^:]*\p{L}[^:]*):(.+)$/su.exec(missing) ?? []
  // Ready-made features may have prefixes of their own.
  const isField =
    ['', 'neg', 'votes', ...fields].includes(prefix) || features.some(({name}) => name.startsWith(`${prefix}:`))
  if (!isField) {
    const field = nearestName(prefix, reading.text) ?? reading.text[0]
    const others = field === undefined ? '' : ` or '${field}:${inField}'`
    return `there is no field "${prefix}"; write '${inField}'${others}`
  }
  const found = features
    .filter(({name, word: other}) => name !== missing && isNear(other, word))
    .sort((a, b) => b.documents - a.documents || byCodeUnit(a.name, b.name))
  const same = found.find(feature => feature.word === word)
  if (same !== undefined) return `'${same.name}' occurs in ${counted(same.documents, 'document')}: write that`
  const words = found.map(feature => feature.word)
  const near = found[words.indexOf(nearestName(word, words) ?? '')]
  return near && `did you mean '${near.name}', which occurs in ${counted(near.documents, 'document')}?`
}

/** The feature without its field, or what stands before a colon in a ready-made name. */
function bareWord(name: string, fields: readonly string[]): string {
  const field = fields.find(prefix => name.startsWith(`${prefix}:`))
  const rest = field === undefined ? name.replace(/^[^:]*:(?=.)/, '') : name.slice(field.length + 1)
  return rest.toLowerCase()
}

/** Whether two words are equal, or may be one edit apart for each four letters: of one initial and of similar length. */
function isNear(seen: string, word: string): boolean {
  if (seen === word) return true
  const most = Math.floor(word.length / LEAST_LETTERS)
  return word.length >= LEAST_LETTERS && seen[0] === word[0] && Math.abs(seen.length - word.length) <= most
}
