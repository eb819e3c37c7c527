/** A custom baseline implements the interface of a model. This one scores each concept by its anchor and one word. */
import {ok} from 'node:assert'
import {type Corpus, evaluate, learn, type Predictor, readCorpus, rng} from 'adfa'
import type {BaselineTrainer} from 'adfa/baselines'
import {anchorsWithRates, emergencyModel, generateDocuments} from 'adfa/synthetic'

export const oneWord: BaselineTrainer = ({documents, lexicon}: Corpus, concepts): Predictor => {
  const fired = concepts.map(() => 0)
  const together = concepts.map(() => new Float64Array(lexicon.words.length))
  for (const {anchors, words} of documents)
    for (const i of anchors) {
      fired[i]++
      for (const j of words) together[i][j]++
    }
  const best = together.map(counts => counts.indexOf(Math.max(...counts)))
  const score = (i: number, has: boolean, word: boolean) =>
    has ? 0.9 : word ? 0.5 * (together[i][best[i]] / fired[i]) : 0.5 * concepts[i].prevalence
  const posterior: Predictor['posterior'] = ({anchors, words}) =>
    concepts.map((_, i) => score(i, anchors.includes(i), words.includes(best[i])))
  return {
    posterior,
    lastTag: (evidence, given) => Array.from(posterior(evidence), (p, i) => (given.includes(i) ? -1 : p)),
    logTags: y => concepts.reduce((sum, {prevalence: p}, i) => sum + Math.log(y[i] ? p : 1 - p), 0)
  }
}

const truth = emergencyModel()
const documents = [...generateDocuments(truth, 3000, rng(1))]
const model = await learn(documents.slice(0, 2000), anchorsWithRates(truth))
const training = readCorpus(documents.slice(0, 2000), model.lexicon)
const {lastTag, baselines} = evaluate(model, readCorpus(documents.slice(2000), model.lexicon), undefined, {
  'one word': oneWord(training, model.concepts, {seed: 0})
})
console.log(
  `last tag: model ${lastTag.accuracy.toFixed(3)}, one word ${baselines['one word'].lastTag.accuracy.toFixed(3)}`
)
ok(lastTag.accuracy > baselines['one word'].lastTag.accuracy)
