import {
  anchorsWithRates,
  type Corpus,
  encodeCorpus,
  generateDocuments,
  type Model,
  parseRow,
  type Row,
  randomModel,
  rng
} from 'adfa'

/** A random model of `latents` concepts and `words` words, its anchors carrying their true rates, 60 words a document. */
export function benchModel(latents: number, words: number, wordsPerDocument = 60): Model {
  const model = randomModel({latents, words, wordsPerDocument, wordsPerConcept: 20, prevalence: [0.01, 0.08]}, rng(1))
  return {...model, lexicon: {...model.lexicon, anchors: anchorsWithRates(model)}}
}

/** Documents drawn from the model, as rows. */
export function* benchRows(model: Model, count: number): Generator<Row> {
  for (const document of generateDocuments(model, count, rng(2))) yield parseRow(document, ['text'], document.id)
}

/** The same, read by the model's own lexicon. */
export function benchCorpus(model: Model, count: number): Corpus {
  return encodeCorpus(benchRows(model, count), model.lexicon)
}
