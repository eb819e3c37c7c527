import type {Command} from 'commander'
import {AdfaError} from '../../../base/checks/index.ts'
import type {Protocol} from '../../../read/pooling/index.ts'
import {flagOf, READING} from '../common-options.ts'

/** Options that a protocol settles altogether. */
const SETTLED = [...READING, 'anchors', 'anchorsFromTags', 'like', 'skipBadAnchors', 'distinctWords']

/** Refuse options on the command line that contradict the protocol; a site may only withhold more than was agreed. */
export function refuseContradictions(command: Command, protocol: Protocol): void {
  const {labelShare, seed, release, privacy} = protocol
  const isTyped = (name: string) => command.getOptionValueSource(name) === 'cli'
  const refuse = (name: string, agreed: string) =>
    new AdfaError(
      'bad-option',
      `${flagOf(name)} contradicts the protocol "${protocol.name}", which ${agreed}; leave it out, or agree on another protocol`
    )
  for (const name of SETTLED) if (isTyped(name)) throw refuse(name, 'settles how documents are read')
  const agreed = {
    labelShare,
    seed,
    maxOrder: release?.maxOrder,
    privacy: privacy?.mechanism,
    epsilon: privacy?.epsilon,
    delta: privacy?.delta,
    mostAnchors: privacy?.mostAnchors,
    mostWords: privacy?.mostWords
  }
  for (const [name, value] of Object.entries(agreed))
    if (isTyped(name) && command.getOptionValue(name) !== value)
      throw refuse(name, value === undefined ? 'asks for nothing of the kind' : `says ${value}`)
  if (isTyped('labels') && labelShare !== 1)
    throw refuse('labels', `has labels of ${labelShare === 0 ? 'no document' : `a share of ${labelShare}`} counted`)
  for (const name of ['minCell', 'site'])
    if (isTyped(name) && release === undefined) throw refuse(name, 'asks for whole counts')
  const minCell: unknown = isTyped('minCell') ? command.getOptionValue('minCell') : undefined
  if (release !== undefined && typeof minCell === 'number' && minCell < release.minCell)
    throw refuse('minCell', `withholds cells below ${release.minCell}; a site may withhold more, not less`)
}
