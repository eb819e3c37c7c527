import {AdfaError} from '../../base/checks/index.ts'
import {counted, grouped} from '../../base/text/index.ts'

/** One site that released tables. */
export interface SiteStatement {
  readonly name: string
  readonly documents: number
  /** Cells of 1 to `minCell - 1` documents were withheld; 0 or 1: none. */
  readonly minCell: number
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
  const figures = `${grouped(withheld)} of ${grouped(numbers)} numbers`
  return [
    `tables of at most ${counted(maxOrder, 'anchor or word', 'anchors or words')} from ${counted(sites.length, 'site')}`,
    limits.length === 0 ? 'nothing withheld' : `cells below ${limits.join(' or ')} withheld: ${figures}`
  ].join('; ')
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
