import {rng} from '../../src/base/numeric/index.ts'
import type {Model} from '../../src/learn/model/index.ts'
import {anchorsWithRates} from '../../src/learn/model/index.ts'
import {type Counts, countCorpus} from '../../src/read/counts/index.ts'
import {type Corpus, encodeCorpus, parseRow, type Row} from '../../src/read/data/index.ts'
import {generateDocuments, randomModel} from '../../src/use/synthetic/index.ts'

/** A random model of `concepts` concepts and `words` words with 60 words per document; its anchors have their true rates. */
export function benchModel(
  concepts: number,
  words: number,
  wordsPerDocument = 60,
  prevalence: readonly [number, number] = [0.01, 0.08]
): Model {
  const model = randomModel({concepts, words, wordsPerDocument, wordsPerConcept: 20, prevalence}, rng(1))
  return {...model, lexicon: {...model.lexicon, anchors: anchorsWithRates(model)}}
}

/** Documents drawn from the model, as rows. */
export function* benchRows(model: Model, count: number): Generator<Row> {
  for (const document of generateDocuments(model, count, rng(2)))
    yield parseRow(document, {fields: ['text']}, document.id)
}

/** The same, read by the model's own lexicon. */
export function benchCorpus(model: Model, count: number): Corpus {
  return encodeCorpus(benchRows(model, count), model.lexicon)
}

/**
 * Counts of documents drawn from a random model, all of them labelled, in which every concept also fires the anchors of two
 * others, each in the share `stray` of its documents: anchors with more than one parent violate the assumptions of the method.
 */
export function strayCounts(concepts: number, documents: number, stray: number): Counts {
  const drawn = randomModel({concepts, words: 20, prevalence: [0.02, 0.15]}, rng(1))
  const model = {...drawn, lexicon: {...drawn.lexicon, anchors: anchorsWithRates(drawn)}}
  const number = new Map(model.concepts.map(({name}, i) => [name, i]))
  const random = rng(5).stream('stray')
  function* rows(): Generator<Row> {
    for (const document of generateDocuments(model, documents, rng(2))) {
      const strays = document.tags.flatMap(tag =>
        [7, 19]
          .filter(() => random.next() < stray)
          .map(step => model.lexicon.anchors[((number.get(tag) ?? 0) + step) % concepts].any[0])
      )
      yield parseRow(
        {...document, features: [...new Set([...document.features, ...strays])]},
        {fields: []},
        document.id
      )
    }
  }
  return countCorpus(encodeCorpus(rows(), model.lexicon), {labelShare: 1})
}
