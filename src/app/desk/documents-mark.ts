import {hashString} from '../../base/numeric/index.ts'
import {counted, listed, printableLine} from '../../base/text/index.ts'
import type {DocumentsMark} from './project.ts'

/**
 * A hash of documents by their keys (`labelKey`): 64 bits in hexadecimal. The order does not matter, as it does not to a model,
 * so that sorted or split files are recognised; a document that comes twice does. Cost: the characters of the keys.
 */
export function documentsHash(keys: Iterable<string>): string {
  const sums = [0, 0]
  for (const key of keys) for (let seed = 0; seed < 2; seed++) sums[seed] = (sums[seed] + hashString(key, seed)) >>> 0
  return sums.map(sum => sum.toString(16).padStart(8, '0')).join('')
}

/** How documents differ from those of a project, in words; undefined if they are the same. File names may differ. */
export function marksDiffer(
  mark: DocumentsMark | undefined,
  {count, hash}: Pick<DocumentsMark, 'count' | 'hash'>
): string | undefined {
  if (mark === undefined || (mark.count === count && mark.hash === hash)) return undefined
  const files = listed(mark.files.map(printableLine))
  const made = `the project was made with ${counted(mark.count, 'document')}${files === '' ? '' : ` of ${files}`}`
  return mark.count === count
    ? `${made}; these are as many, but different`
    : `${made}; these are ${counted(count, 'document')}`
}
