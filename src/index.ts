/**
 * adfa: Anchored Discrete Factor Analysis (Halpern, Horng, Sontag 2015).
 *
 * You name hidden concepts and give each an *anchor*: a feature that only this concept can switch on. From documents
 * alone, adfa learns a joint model of the concepts and the words that each makes more likely.
 *
 *     import {learn, predictDocument, topWords} from 'adfa'
 *
 *     const model = await learn(documents, {asthma: ['asthma', 'copd'], alcohol: 'etoh'})
 *     topWords(model, 0, 5)                            // the words that asthma makes more likely
 *     predictDocument(model, {text: 'wheezing'})       // the probability of every concept
 *
 * A document is a plain object: `text` and `title` are cut into words, `features` are taken as they are, `tags` (its true concepts)
 * are used only where you ask for it. `learn` does everything, and gives the same model as the command `adfa fit`; its steps are
 *
 *     documents --buildCorpus--> Corpus --countCorpus--> Counts --fit--> Model
 *
 * `Counts` is all that learning needs, and adds up (`mergeCounts`): count where the data is, learn anywhere. A model is
 * plain data: `saveModel` and `loadModel` turn it into text and back.
 *
 * Everything here runs in Node and in browsers. More, by subject: `adfa/predict` (only what a saved model needs), `adfa/node`
 * (files, threads, databases), and for research `adfa/noise`, `adfa/moments`, `adfa/structure`, `adfa/network`, `adfa/pooling`,
 * `adfa/labelling`, `adfa/baselines`, `adfa/synthetic`, `adfa/report`, `adfa/comparison`.
 */
export {AdfaError, type ErrorCode} from './base/checks/index.ts'
export {type Rng, rng} from './base/numeric/index.ts'
export {bootstrap, type FitIntervals} from './learn/bootstrap.ts'
export {type EmOptions, runEm} from './learn/em.ts'
export {type FitCertificate, type FitControl, fit} from './learn/fit.ts'
export {
  type AnchorsObject,
  type LearnControl,
  type LearnedModel,
  type LearnOptions,
  learn,
  type ReadOptions
} from './learn/learn.ts'
export {type Concept, loadModel, type Model, saveModel, type TopWord, topWords} from './learn/model/index.ts'
export {type EstimatedNoise, estimateNoise, type NoiseMethod, type NoiseRates} from './learn/noise/index.ts'
export {type FitOptions, type Preset, presets} from './learn/options.ts'
export {type LearnedPairs, learnPairs, type PairCertificate} from './learn/robust/index.ts'
export {type Counts, countCorpus, countsFromBytes, countsToBytes, mergeCounts} from './read/counts/index.ts'
export {
  type Anchor,
  type Anchors,
  buildCorpus,
  type Corpus,
  type Labels,
  type Lexicon,
  parseAnchors,
  readCorpus,
  type VocabularyOptions
} from './read/data/index.ts'
export {type Diagnosis, diagnose, type Finding, type Suggestion, suggestAnchors} from './use/advice/index.ts'
export {type Evaluation, evaluate} from './use/evaluation/index.ts'
export {
  createPredictor,
  type Explanation,
  explain,
  type Predictor,
  predictDocument,
  readDocument
} from './use/prediction/index.ts'
