import type {Model} from '../../learn/model/index.ts'
import type {Corpus} from '../../read/data/index.ts'
import {OracleTrainer} from '../../use/evaluation/index.ts'

/** What the learner of `model` finds with true tags in place of anchors: the paper's Oracle MoM. */
export function oracleModel(model: Model, {documents}: Corpus): Model {
  const trainer = new OracleTrainer(model)
  for (const {evidence, truth} of documents) if (truth !== undefined) trainer.add(evidence, truth)
  return trainer.finish()
}
