import {emDrift} from './em-drift/present.ts'
import type {Experiment, ExperimentName} from './experiment.ts'
import {factors} from './factors/present.ts'
import {heldoutLikelihood} from './heldout-likelihood/present.ts'
import {lastTag} from './last-tag/present.ts'
import {timing} from './timing/present.ts'
import {trees} from './trees/present.ts'

export const experiments: Readonly<Record<ExperimentName, Experiment>> = {
  trees,
  factors,
  'heldout-likelihood': heldoutLikelihood,
  'last-tag': lastTag,
  'em-drift': emDrift,
  timing
}
