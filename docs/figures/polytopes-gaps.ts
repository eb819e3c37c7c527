import {drawDocuments} from './polytopes-data.ts'
import {measurePolytope, type Result, type Setting} from './polytopes-measure.ts'

/** A result of the marginal polytope for the gap that was asked for. */
export interface GapResult extends Result {
  readonly asked: number
}

/** Training documents of the smaller generated set. */
const FEW = 1000

/**
 * How the figure moves as the marginal polytope is solved more and more exactly: all training documents of `setting` with each
 * pull of `pulls`, and generated documents, few and as many.
 */
export function measureGaps(setting: Setting, pulls: readonly Setting['pull'][], gaps: readonly number[]): GapResult[] {
  const {anchors, training, heldOut, seed} = setting
  const {network} = measurePolytope(setting, 'marginal')
  const drawn = drawDocuments(network, anchors, training.length + heldOut.length, seed)
  const generated: Setting = {...setting, data: 'generated', heldOut: drawn.slice(training.length)}
  const settings: Setting[] = [
    ...pulls.map(pull => ({...setting, pull})),
    {...generated, training: drawn.slice(0, FEW)},
    {...generated, training: drawn.slice(0, training.length)}
  ]
  return settings.flatMap(one =>
    gaps.map(asked => ({...measurePolytope({...one, gap: asked}, 'marginal').result, asked}))
  )
}
