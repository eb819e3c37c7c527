import {AdfaError} from '../../base/checks/index.ts'

/** What protects the numbers of a site besides withholding small ones. */
export interface NoiseStatement {
  readonly mechanism: 'laplace' | 'gaussian'
  readonly epsilon: number
  /** 0 for Laplace. */
  readonly delta: number
  /** A document counts for at most so many anchors and words. */
  readonly mostAnchors: number
  readonly mostWords: number
  /** The budget is divided equally between these. */
  readonly parts: readonly NoisePart[]
  /** The noise can be repeated, so that it protects nothing. */
  readonly isRehearsal: boolean
}

/** The numbers of a kind, which have noise of one size. */
export interface NoisePart {
  readonly name: 'anchors' | 'words' | 'labels'
  /** How many numbers of this kind one document changes at most, each by 1. */
  readonly changes: number
  /** Laplace: the scale; Gauss: the variance. */
  readonly scale: number
}

/** One site that gave tables. */
export interface SiteStatement {
  readonly name: string
  readonly documents: number
  /** Cells of 1 to `minCell - 1` documents were withheld; 0 or 1: none. */
  readonly minCell: number
  readonly noise?: NoiseStatement | undefined
}

/** What counts that were put together from released tables rest on. */
export interface TableStatement {
  /** The largest number of anchors and words whose joint table is known. */
  readonly maxOrder: number
  readonly numbers: number
  /** How many of the numbers are known by an interval alone. */
  readonly withheld: number
  readonly sites: readonly SiteStatement[]
}

/** In words: "tables of at most 2 anchors or words from 3 sites; cells below 10 withheld: 312 of 25,000 numbers". */
export function describeTables({maxOrder, numbers, withheld, sites}: TableStatement): string {
  const limits = [...new Set(sites.map(({minCell}) => minCell).filter(minCell => minCell > 1))].sort((a, b) => a - b)
  const noisy = [...new Set(sites.flatMap(({noise}) => (noise === undefined ? [] : [describeNoise(noise)])))].sort()
  const figures = `${withheld.toLocaleString('en')} of ${numbers.toLocaleString('en')} numbers`
  return [
    `tables of at most ${maxOrder} ${maxOrder === 1 ? 'anchor or word' : 'anchors or words'} from ${sites.length} ${sites.length === 1 ? 'site' : 'sites'}`,
    limits.length === 0 ? 'nothing withheld' : `cells below ${limits.join(' or ')} withheld: ${figures}`,
    ...noisy
  ].join('; ')
}

function describeNoise({mechanism, epsilon, delta, isRehearsal}: NoiseStatement): string {
  const budget = `epsilon ${epsilon}${delta > 0 ? `, delta ${delta}` : ''}`
  const name = mechanism === 'laplace' ? 'Laplace' : 'Gaussian'
  return `${name} noise of ${budget}${isRehearsal ? ' (a rehearsal: it protects nobody)' : ''}`
}

/** How much the noise of all sites together varies on a number of this kind; 0 without tables or noise. */
export function noiseVariance({tables}: MaybeTables, part: NoisePart['name']): number {
  let variance = 0
  for (const {noise} of tables?.sites ?? []) {
    const scale = noise?.parts.find(({name}) => name === part)?.scale ?? 0
    variance += noise?.mechanism === 'laplace' ? 2 * scale * scale : scale
  }
  return variance
}

interface MaybeTables {
  readonly tables?: TableStatement | undefined
}

/** Refuse counts of tables where whole anchor patterns are needed; `what` needs them. */
export function requirePatterns({tables}: MaybeTables, what: string): void {
  if (tables === undefined) return
  throw new AdfaError(
    'bad-counts',
    `${what} needs to know which anchors fired together in whole documents; these counts were put together from released ` +
      `tables of at most ${tables.maxOrder} anchors or words; use counts made without --max-order and --min-cell`
  )
}

/** Refuse counts of tables that are smaller than `what` needs. */
export function requireOrder({tables}: MaybeTables, order: number, what: string): void {
  if (tables === undefined || order <= tables.maxOrder) return
  throw new AdfaError(
    'bad-counts',
    `${what} needs tables of ${order} anchors or words; these counts were put together from released tables of at most ` +
      `${tables.maxOrder}; ${order <= 3 ? `release with --max-order ${order}` : 'use counts made without --max-order and --min-cell'}`
  )
}
