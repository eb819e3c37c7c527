/**
 * adfa/pooling: tables that a site may share, small cells withheld, and their sum.
 *
 *     import {poolReleases, releaseCounts, releaseToCounts} from 'adfa/pooling'
 *
 *     const release = releaseCounts(counts, {maxOrder: 2, minCell: 10, site: 'North'})
 *     fit(releaseToCounts(poolReleases([release, other])))
 */
export {type Protocol, parseProtocol, protocolMark, protocolToText} from './protocol.ts'
export {
  checkReleaseRules,
  checkSiteName,
  poolReleases,
  type Release,
  type ReleasedNumber,
  type ReleaseOptions,
  releaseCounts,
  releaseDefaults,
  releasedNumbers,
  withheldNumbers
} from './release.ts'
export {isReleaseFile, releaseFromBytes, releaseToBytes} from './release-file.ts'
export {releaseToCounts} from './release-to-counts.ts'
export type {ReleaseRules} from './withhold.ts'
