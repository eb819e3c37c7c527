import {AdfaError} from '../../base/checks/index.ts'
import {counted, grouped} from '../../base/text/index.ts'

/** The noise on the numbers of a site. */
export interface NoiseStatement {
  readonly mechanism: 'laplace' | 'gaussian'
  readonly epsilon: number
  /** 0 for Laplace. */
  readonly delta: number
  /** A document counts for at most this many anchors and words. */
  readonly mostAnchors: number
  readonly mostWords: number
  /** The budget is divided equally among these. */
  readonly parts: readonly NoisePart[]
  /** The noise can be reproduced, so it protects nothing. */
  readonly isRehearsal: boolean
}

/** The numbers of one kind, which have noise of one scale. */
export interface NoisePart {
  readonly name: 'anchors' | 'words' | 'labels'
  /** How many numbers of this kind one document changes, at most, each by 1. */
  readonly changes: number
  /** Laplace: the scale; Gauss: the variance. */
  readonly scale: number
}

/** One site that released tables. */
export interface SiteStatement {
  readonly name: string
  readonly documents: number
  /** Cells of 1 to `minCell - 1` documents were withheld; 0 or 1: none. */
  readonly minCell: number
  readonly noise?: NoiseStatement | undefined
}

/** What counts reconstructed from released tables are based on. */
export interface TableStatement {
  /** The largest number of anchors and words whose joint table is known. */
  readonly maxOrder: number
  readonly numbers: number
  /** How many of the numbers are known only as an interval. */
  readonly withheld: number
  readonly sites: readonly SiteStatement[]
}

/** For reports: "tables of at most 2 anchors or words from 3 sites; cells below 10 withheld: 312 of 25,000 numbers". */
export function describeTables({maxOrder, numbers, withheld, sites}: TableStatement): string {
  const limits = [...new Set(sites.map(({minCell}) => minCell).filter(minCell => minCell > 1))].sort((a, b) => a - b)
  const noisy = [...new Set(sites.flatMap(({noise}) => (noise === undefined ? [] : [describeNoise(noise)])))].sort()
  const figures = `${grouped(withheld)} of ${grouped(numbers)} numbers`
  return [
    `tables of at most ${counted(maxOrder, 'anchor or word', 'anchors or words')} from ${counted(sites.length, 'site')}`,
    limits.length === 0 ? 'nothing withheld' : `cells below ${limits.join(' or ')} withheld: ${figures}`,
    ...noisy
  ].join('; ')
}

function describeNoise({mechanism, epsilon, delta, isRehearsal}: NoiseStatement): string {
  const budget = `epsilon ${epsilon}${delta > 0 ? `, delta ${delta}` : ''}`
  const name = mechanism === 'laplace' ? 'Laplace' : 'Gaussian'
  return `${name} noise of ${budget}${isRehearsal ? ' (a rehearsal: it protects nobody)' : ''}`
}

/** The variance of the noise of all sites together on a number of this kind; 0 without tables or noise. */
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

/** Refuse counts of tables where `what` needs whole anchor patterns. */
export function requirePatterns({tables}: MaybeTables, what: string): void {
  if (tables === undefined) return
  throw new AdfaError(
    'bad-counts',
    `${what} needs to know which anchors fired together in whole documents; these counts were put together from released ` +
      `tables of at most ${tables.maxOrder} anchors or words; use whole counts, made by adfa count without --max-order and --min-cell`
  )
}

/** Refuse counts of tables where `what` needs larger ones. */
export function requireOrder({tables}: MaybeTables, order: number, what: string): void {
  if (tables === undefined || order <= tables.maxOrder) return
  throw new AdfaError(
    'bad-counts',
    `${what} needs tables of ${order} anchors or words; these counts were put together from released tables of at most ` +
      `${tables.maxOrder}; ${order <= 3 ? `release with adfa count --max-order ${order}` : 'use whole counts, made by adfa count without --max-order and --min-cell'}`
  )
}
