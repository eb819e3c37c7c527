import type {Command} from 'commander'
import {AdfaError} from '../../../base/checks/index.ts'
import type {PrivacyRules, Protocol} from '../../../read/pooling/index.ts'
import {type ReadingOptions, readProtocol} from '../common-options.ts'
import {type PrivacyOptions, privacyRules} from './privacy-options.ts'
import {refuseContradictions} from './protocol-option.ts'
import {type ReleaseOptionValues, releaseAsked} from './release-options.ts'

/** What adfa count is to write, by the command line and the protocol together. */
export interface ReleasePlan {
  readonly protocol: Protocol | undefined
  /** Undefined: whole counts. */
  readonly release: ReturnType<typeof releaseAsked>
  readonly privacy: PrivacyRules | undefined
}

export interface ReleasePlanOptions extends ReleaseOptionValues, PrivacyOptions, Pick<ReadingOptions, 'protocol'> {
  readonly noiseSeed?: number
  readonly audit?: string
  readonly dryRun?: true
}

export async function planRelease(options: ReleasePlanOptions, command: Command): Promise<ReleasePlan> {
  const protocol = options.protocol === undefined ? undefined : await readProtocol(options.protocol)
  if (protocol !== undefined) refuseContradictions(command, protocol)
  const privacy = protocol === undefined ? privacyRules(options) : protocol.privacy
  if (options.noiseSeed !== undefined && privacy === undefined)
    throw new AdfaError('bad-option', '--noise-seed rehearses noise, and there is none; add --privacy, or leave it out')
  const agreed = protocol?.release ?? {}
  // Noise protects small cells already; withholding them too is for those who ask for it.
  const unwithheld = privacy === undefined ? {} : {minCell: 0}
  const {maxOrder, minCell, site} = options
  const typed = Object.fromEntries(Object.entries({maxOrder, minCell, site}).filter(([, value]) => value !== undefined))
  const release = releaseAsked({...unwithheld, ...agreed, ...typed})
  const idle = options.audit === undefined ? (options.dryRun ? '--dry-run' : undefined) : '--audit'
  if (release === undefined && idle !== undefined)
    throw new AdfaError(
      'bad-option',
      `${idle} shows what tables would tell; whole counts are not for sending; add --max-order 2`
    )
  return {protocol, release, privacy}
}
