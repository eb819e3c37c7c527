import {type Corpus, type Model, OracleTrainer} from '../index.ts'

/** What the learner of `model` finds with true tags in place of anchors: the paper's Oracle MoM. */
export function oracleModel(model: Model, {documents}: Corpus): Model {
  const trainer = new OracleTrainer(model)
  for (const {evidence, truth} of documents) if (truth !== undefined) trainer.add(evidence, truth)
  return trainer.finish()
}
