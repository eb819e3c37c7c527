import {buildCorpus, countCorpus, fit, generateDocuments, randomModel, rng, saveModel} from '../src/index.ts'

/** The text of the model file fitted to documents that are generated from a seed: the same wherever it runs. */
export function fitGenerated(seed: number): string {
  const random = rng(seed)
  const truth = randomModel({latents: 8, words: 60}, random.stream('model'))
  const documents = generateDocuments(truth, 3000, random.stream('documents'))
  const corpus = buildCorpus(documents, truth.lexicon.anchors)
  return saveModel(fit(countCorpus(corpus, {labelShare: 0.5}), {noise: 'labels', seed}))
}
