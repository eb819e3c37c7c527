export {type Audit, auditRelease} from './audit.ts'
export type {RandomWords} from './discrete-noise.ts'
export {type EvidenceLimit, limitCorpus, limitEvidence} from './limit-evidence.ts'
export {poolReleases} from './pool-releases.ts'
export {checkPrivacyRules, type PrivacyRules, privacyDefaults} from './privacy-budget.ts'
export {type NoiseRandomness, privacyNoise} from './privacy-noise.ts'
export {type Protocol, parseProtocol, protocolMark, protocolToText} from './protocol.ts'
export {parseWordList, type WordList} from './protocol-words.ts'
export {releaseFromBytes} from './read-release.ts'
export {type Release, type ReleaseRules, releaseDefaults, withheldNumbers} from './release.ts'
export {
  checkReleaseRules,
  checkSiteName,
  type ReleaseNoise,
  type ReleaseOptions,
  releaseCounts
} from './release-counts.ts'
export {isReleaseFile, releaseToBytes} from './release-file.ts'
export {releaseToCounts} from './release-to-counts.ts'
