import {percent} from '../../base/text/index.ts'
import type {RateInterval} from '../../learn/noise/index.ts'
import type {LabelProgress} from '../../use/labelling/index.ts'
import {type Block, column, figure, tableOf} from './blocks.ts'

/** How far labelling is: "37 labelled of 100-200 documents". */
export function labelledText({documents, least, goal}: LabelProgress): string {
  return `${documents} labelled of ${least < goal ? `${least}-` : ''}${goal} documents`
}

/** How well the prevalences are known, in a sentence. */
export function knownText({documents, precision}: LabelProgress): string {
  if (precision === undefined)
    return `no estimates yet: no ${documents === 0 ? 'document is labelled' : 'labelled document has a concept'}`
  const {median, worst} = precision
  return `prevalence within a factor of ${widthText(median)} (median), ${widthText(worst.factor)} at worst (${worst.concept})`
}

/** Why labelling may stop, or how many more documents it takes. `narrow` is the factor asked for. */
export function goalText({enough, documents, least, goal, precision}: LabelProgress, narrow: number): string {
  const usable = precision === undefined || precision.unusable.length === 0 ? '' : ' that can be used'
  if (enough === 'intervals')
    return `enough: the prevalence of every concept${usable} is known to within a factor of ${widthText(narrow)}`
  if (enough === 'documents') return `enough: all ${goal} requested documents are labelled`
  if (documents < least && least < goal)
    return `${least - documents} more to go to ${least}, the least for reliable rates; up to ${goal} where intervals stay wide`
  return `${goal - documents} more to go${least < goal ? ' at most, until the intervals are narrow' : ''}`
}

/** What the labels so far say of how common a concept is. */
interface KnownPrevalence {
  readonly concept: string
  readonly prevalence: RateInterval
  /** Why labels cannot help it, if they cannot. */
  readonly refused: string | undefined
}

/** The prevalences with their intervals, the least certain first; concepts that labels cannot help come last. */
export function knownPrevalences(concepts: readonly string[], {precision}: LabelProgress): KnownPrevalence[] {
  const all = (precision?.rates ?? []).map(({prevalence, refusal}, i) => {
    return {concept: concepts[i], prevalence, refused: refusal?.reason}
  })
  const [usable, refused] = [all.filter(one => !one.refused), all.filter(one => one.refused)]
  // An interval is as wide as the ratio of its ends: one from 1% to 3% is wider than one from 10% to 15%.
  return [...usable.sort((a, b) => ratio(b.prevalence) - ratio(a.prevalence)), ...refused]
}

function ratio({low, high}: RateInterval): number {
  return high / low
}

export function prevalenceTable(known: readonly KnownPrevalence[]): Block {
  return tableOf(
    known,
    [
      column('concept', ({concept}) => concept),
      figure('share', ({prevalence}) => percent(prevalence.value)),
      column('90% interval', ({prevalence: {low, high}, refused}) =>
        refused === undefined ? `${percent(low)} to ${percent(high)}` : `not usable: ${refused}`
      )
    ],
    {caption: 'Prevalence by the labels so far'}
  )
}

/** "2.1", "24". */
function widthText(value: number): string {
  return value < 9.95 ? value.toFixed(1) : value.toFixed(0)
}
