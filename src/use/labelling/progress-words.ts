import type {LabelProgress} from './label-progress.ts'

/** How well the prevalences are known, in a sentence. */
export function knownWords({documents, precision}: LabelProgress): string {
  if (precision === undefined)
    return `no estimates yet: no ${documents === 0 ? 'document is labelled' : 'labelled document has a concept'}`
  const {median, worst} = precision
  return `prevalence within a factor of ${widthText(median)} (median), ${widthText(worst.factor)} at worst (${worst.concept})`
}

/** The reason to stop, or undefined. */
export function enoughWords({enough, goal, precision}: LabelProgress, narrow: number): string | undefined {
  const without = precision === undefined || precision.unusable.length === 0 ? '' : ' that can be used'
  if (enough === 'intervals')
    return `enough: the prevalence of every concept${without} is known to within a factor of ${widthText(narrow)}`
  return enough === 'documents' ? `enough: all ${goal} requested documents are labelled` : undefined
}

/** The width of an interval, as the ratio of its ends: "2.1", "24". */
export function widthText(value: number): string {
  return value < 9.95 ? value.toFixed(1) : value.toFixed(0)
}
