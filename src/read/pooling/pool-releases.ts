import {AdfaError} from '../../base/checks/index.ts'
import {headerDifference} from '../counts/index.ts'
import type {Release} from './release.ts'

/**
 * The tables of several sites together: numbers add up, and so do the ends of the intervals of withheld ones. The order does
 * not matter, and pools can be pooled again; no site may come twice. Errors call the releases by `names`, or by their place.
 */
export function poolReleases(releases: readonly Release[], names?: readonly string[]): Release {
  if (releases.length === 0) throw new AdfaError('bad-counts', 'there are no releases to pool; give at least one')
  const [first] = releases
  releases.forEach((release, at) => {
    const difference =
      first.maxOrder === release.maxOrder ? headerDifference(first, release) : 'largest tables (--max-order)'
    if (difference === undefined) return
    const which = names === undefined ? `releases 1 and ${at + 1}` : `${names[0]} and ${names[at]}`
    throw new AdfaError(
      'mismatch',
      `${which} differ in their ${difference}; tables add up only when made alike; agree on anchors, words and --max-order, and count again`
    )
  })
  const sites = releases.flatMap(release => release.sites).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const twice = sites.find((site, at) => at > 0 && site.name === sites[at - 1].name)
  if (twice !== undefined)
    throw new AdfaError(
      'mismatch',
      `site "${twice.name}" is among them twice; its documents would count twice; give each site once, or name the sites apart with --site`
    )
  const {lexicon, labelShare, seed, protocol, maxOrder} = first
  const sum = (part: 'low' | 'high' | 'wordLow' | 'wordHigh' | 'labelled') => {
    const total = new Float64Array(first[part].length)
    for (const release of releases) for (let at = 0; at < total.length; at++) total[at] += release[part][at]
    return total
  }
  return {
    lexicon,
    labelShare,
    seed,
    ...(protocol && {protocol}),
    maxOrder,
    sites,
    low: sum('low'),
    high: sum('high'),
    wordLow: sum('wordLow'),
    wordHigh: sum('wordHigh'),
    labelled: sum('labelled'),
    withheldLabels: first.withheldLabels.map((_, i) => releases.reduce((all, part) => all + part.withheldLabels[i], 0))
  }
}
