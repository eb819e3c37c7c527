import type {LabelProgress} from '../../../use/labelling/index.ts'

/** How well the concepts are known, in a sentence. */
export function knownWords({precision}: LabelProgress): string {
  if (precision === undefined) return 'nothing is known yet: no labelled document has a concept'
  const {median, worst} = precision
  return `prevalence known to a factor of ${factor(median)} in the middle, ${factor(worst.factor)} at worst (${worst.concept})`
}

/** Why one may stop, or undefined. */
export function enoughWords({enough, goal, precision}: LabelProgress, narrow: number): string | undefined {
  const without = precision === undefined || precision.unusable.length === 0 ? '' : ' that can be used'
  if (enough === 'intervals')
    return `enough: the prevalence of every concept${without} is known to a factor of ${factor(narrow)}`
  return enough === 'documents' ? `enough: all ${goal} documents that were asked for are labelled` : undefined
}

export function factor(value: number): string {
  return value < 9.95 ? value.toFixed(1) : value.toFixed(0)
}
