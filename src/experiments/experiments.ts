import {emDrift} from './em-drift.ts'
import type {Experiment, ExperimentName} from './experiment.ts'
import {factors} from './factors.ts'
import {heldoutLikelihood} from './heldout-likelihood.ts'
import {lastTag} from './last-tag.ts'
import {timing} from './timing.ts'
import {trees} from './trees.ts'

const experiments: readonly Experiment[] = [trees, factors, heldoutLikelihood, lastTag, emDrift, timing]

export function findExperiment(name: ExperimentName): Experiment {
  const experiment = experiments.find(each => each.name === name)
  if (experiment === undefined) throw new Error(`internal error: no experiment ${name}`)
  return experiment
}
