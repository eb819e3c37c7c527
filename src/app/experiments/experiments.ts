import {emDrift} from './em-drift/em-drift.ts'
import type {Experiment, ExperimentName} from './experiment.ts'
import {factors} from './factors/factors.ts'
import {heldoutLikelihood} from './heldout-likelihood/heldout-likelihood.ts'
import {lastTag} from './last-tag/last-tag.ts'
import {timing} from './timing/timing.ts'
import {trees} from './trees/trees.ts'

export const experiments: Readonly<Record<ExperimentName, Experiment>> = {
  trees,
  factors,
  'heldout-likelihood': heldoutLikelihood,
  'last-tag': lastTag,
  'em-drift': emDrift,
  timing
}
