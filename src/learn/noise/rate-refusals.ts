/** Why a concept should not be used. */
export interface RateRefusal {
  readonly rule: 'few-anchored' | 'low-true-positive' | 'low-precision' | 'wide-interval'
  readonly reason: string
}

interface RatesToJudge {
  readonly truePositive: number
  readonly precision: {readonly value: number}
  readonly prevalence: {readonly low: number; readonly high: number}
}

/** Anchors beyond these are too weak, or too little known, to be corrected without harm to the concepts beside them. */
const LEAST_ANCHORED = 30
const LEAST_TRUE_POSITIVE = 0.1
const LEAST_PRECISION = 0.45
const WIDEST_FACTOR = 6

/** The rules that the rates of a concept break, each with what was found, what is needed and what to do. */
export function rateRefusals(rates: RatesToJudge, anchoredCount: number): RateRefusal[] {
  const {truePositive: t, precision, prevalence} = rates
  const r = precision.value
  const factor = prevalence.high / prevalence.low
  const refusals: RateRefusal[] = []
  const refuse = (rule: RateRefusal['rule'], reason: string) => refusals.push({rule, reason})
  if (anchoredCount < LEAST_ANCHORED)
    refuse(
      'few-anchored',
      `its anchor fires in ${anchoredCount} document${anchoredCount === 1 ? '' : 's'}, and ${LEAST_ANCHORED} are needed; add words to the anchor`
    )
  if (t < LEAST_TRUE_POSITIVE)
    refuse(
      'low-true-positive',
      `its anchor fires in ${percent(t)} of the documents that have it, and ` +
        `${percent(LEAST_TRUE_POSITIVE)} is needed; add words to the anchor`
    )
  if (r < LEAST_PRECISION)
    refuse(
      'low-precision',
      `${percent(r)} of the documents where its anchor fires have it, and ${percent(LEAST_PRECISION)} is needed; ` +
        'choose narrower words, or veto with "not"'
    )
  if (factor > WIDEST_FACTOR)
    refuse(
      'wide-interval',
      `its prevalence is known to a factor of ${factor.toFixed(1)}, and ${WIDEST_FACTOR} is needed; ` +
        'label more documents'
    )
  return refusals
}

function percent(share: number): string {
  return `${(100 * share).toPrecision(3)}%`
}
