import {instance} from '@viz-js/viz'
import type {BayesNetwork} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {fit} from '../../learn/fit.ts'
import {composeModel, type Model} from '../../learn/model/index.ts'
import {smallParts} from '../../learn/model/test-small-model.ts'
import {countCorpus} from '../../read/counts/index.ts'
import {encodeCorpus, parseRow} from '../../read/data/index.ts'
import {diagnose, knownRates} from '../../use/advice/index.ts'
import {evaluate} from '../../use/evaluation/index.ts'
import {emergencyModel, generateDocuments, randomModel} from '../../use/synthetic/index.ts'
import {type ReportInput, renderReport} from './report.tsx'

/** A report of what is given. */
export async function reportOf(given: Omit<ReportInput, 'title' | 'provenance'>): Promise<string> {
  return renderReport({title: 'A report', provenance: [['model', 'model.json']], ...given}, await instance())
}

export function drawnModel(concepts: number, words: number): Model {
  return randomModel({concepts, words}, rng(concepts))
}

/** Names and words that would do harm if they were taken for markup or for properties. */
export function hostileModel(): Model {
  const {concepts, lexicon} = smallParts
  const hostile = '<img src=x onerror=alert(1)>"\'&'
  const names = [hostile, '__proto__', '</script><script>alert(2)</script>']
  return composeModel({
    ...smallParts,
    concepts: concepts.map((concept, i) => ({...concept, name: names[i]})),
    lexicon: {
      ...lexicon,
      words: [hostile, '</title></style><script>alert(3)</script>'].toSorted(),
      anchors: lexicon.anchors.map((anchor, i) => ({...anchor, concept: names[i], any: [...anchor.any, hostile]}))
    }
  })
}

/** A network too dense for exact sums: each concept has up to two parents, scattered over all before it, each of which adds a tenth. */
export function tangledNetwork(): BayesNetwork {
  const parents = Array.from({length: 200}, (_, i) => [
    ...new Set(i === 0 ? [] : [((i * 7919) % 1009) % i, ((i * 104729) % 1013) % i])
  ])
  return {parents, cpt: parents.map(list => Float64Array.from([0.1, 0.2, 0.2, 0.3].slice(0, 2 ** list.length)))}
}

/** The certificate of a model learned from votes of sources with these names: the first is the worst, the last votes most. */
export function votedCertificate(names: readonly string[]) {
  const sources = names.map((source, at) => ({
    source,
    votes: 100 + at,
    coverage: 0.1 + at / 100,
    accuracy: {value: 0.5 + at / 100, low: 0.4, high: 0.996},
    basis: at % 2 === 0 ? 'labels' : 'estimate',
    labelled: at,
    ...(at === 0 && {
      mostWrong: {vote: 'ham', truth: 'spam', share: 0.2}
    })
  }))
  return {sources: [{classes: ['ham', 'spam'], alpha: 0.5, sources}]}
}

/** The synthetic emergency department: 23 concepts, fitted, examined and judged, with intervals made up. */
export async function emergencyReport(): Promise<Omit<ReportInput, 'title' | 'provenance'>> {
  const truth = emergencyModel()
  const rows = [...generateDocuments(truth, 1500, rng(3))].map((row, at) =>
    parseRow(row, truth.lexicon.reading, `row ${at}`)
  )
  const corpus = encodeCorpus(rows, {
    ...truth.lexicon,
    anchors: truth.lexicon.anchors.map(anchor => ({...anchor, rates: undefined}))
  })
  const counts = countCorpus(corpus, {labelShare: 1})
  const model = await fit(counts, {noise: 'labels'}, {documents: corpus})
  const concepts = model.concepts.map(({name, prevalence, truePositive, falsePositive}) => ({
    name,
    prevalence: [0.9 * prevalence, 1.1 * prevalence],
    truePositive: [0.9 * truePositive, Math.min(1, 1.1 * truePositive)],
    falsePositive: [0.5 * falsePositive, 2 * falsePositive]
  }))
  const intervals = {replicates: 40, refused: 0, level: 0.95, seed: 0, concepts, edges: []}
  return {
    model: {...model, certificate: {...model.certificate, intervals}},
    diagnosis: await diagnose(counts, {rates: knownRates(counts)}),
    evaluation: evaluate(model, corpus)
  }
}
