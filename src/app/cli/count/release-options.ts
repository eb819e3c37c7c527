import type {Command} from 'commander'
import {
  checkReleaseRules,
  checkSiteName,
  type Release,
  type ReleaseRules,
  releaseDefaults,
  withheldNumbers
} from '../../../read/pooling/index.ts'
import {wholeNumber} from '../common-options.ts'
import {counted} from '../text.ts'

/** What may leave the house instead of whole counts. */
export interface ReleaseOptionValues {
  readonly maxOrder?: number
  readonly minCell?: number
  readonly site?: string
}

export function addReleaseOptions(command: Command): Command {
  const {maxOrder, minCell} = releaseDefaults
  return command
    .option(
      '--max-order <k>',
      `write tables of at most so many anchors and words, to pool with other sites (default: ${maxOrder})`,
      wholeNumber
    )
    .option('--min-cell <n>', `in tables withhold cells of 1 to n - 1 documents (default: ${minCell})`, wholeNumber)
    .option('--site <name>', 'the name of the site that the tables are of')
}

/** The tables that are asked for, or undefined for whole counts. */
export function releaseAsked(
  values: ReleaseOptionValues
): (ReleaseRules & Pick<ReleaseOptionValues, 'site'>) | undefined {
  const {maxOrder, minCell, site} = values
  if (maxOrder === undefined && minCell === undefined && site === undefined) return undefined
  const rules = {maxOrder: maxOrder ?? releaseDefaults.maxOrder, minCell: minCell ?? releaseDefaults.minCell}
  checkReleaseRules(rules)
  if (site !== undefined) checkSiteName(site)
  return {...rules, ...(site !== undefined && {site})}
}

/** The facts of a release for programs. */
export function releaseJson(release: Release): object {
  const {lexicon, maxOrder, sites, low, wordLow} = release
  return {
    documents: low[0],
    concepts: lexicon.anchors.length,
    words: lexicon.words.length,
    maxOrder,
    sites,
    numbers: low.length + wordLow.length,
    withheld: withheldNumbers(release)
  }
}

/** The same for people. */
export function describeRelease(release: Release): string {
  const {lexicon, maxOrder, sites, low, wordLow} = release
  const numbers = low.length + wordLow.length
  return (
    `${counted(low[0], 'document')} of ${counted(sites.length, 'site')} (${sites.map(({name}) => name).join(', ')}), ` +
    `${counted(lexicon.anchors.length, 'concept')}, ${counted(lexicon.words.length, 'word')}: ` +
    `${numbers.toLocaleString('en')} numbers of at most ${maxOrder} anchors or words, ` +
    `${withheldNumbers(release).toLocaleString('en')} of them withheld`
  )
}
