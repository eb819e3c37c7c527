import {existsSync, readFileSync} from 'node:fs'
import {gunzipSync} from 'node:zlib'
import {describe, expect, test} from 'vitest'
import {type BayesNetwork, logPrior} from '../../base/network/index.ts'
import {grouped} from '../../base/text/index.ts'
import {infer} from '../../learn/inference/index.ts'
import type {Concept} from '../../learn/model/index.ts'
import {anchorsFromTags, buildCorpus, type Corpus, encodeCorpus, parseRow, TagSurvey} from '../../read/data/index.ts'
import {createLastTagScorer} from '../prediction/index.ts'
import type {Baseline} from './baseline.ts'
import {corpusOf, learnableModel} from './test-corpora.ts'
import {anchorsInNetwork, trainBaselines} from './train-baselines.ts'

const model = learnableModel()
const {concepts} = model
const corpus = corpusOf(model, 1500)
const fresh = corpusOf(model, 500, 9)
const quick = {ridges: [1], tolerance: 1e-3}
const baselines = trainBaselines(corpus, concepts, quick)

/** Mean squared error of the posteriors. */
function brier({posterior}: Pick<Baseline, 'posterior'>, {documents}: Corpus): number {
  let sum = 0
  let count = 0
  for (const document of documents)
    Array.from(posterior(document)).forEach((p, i) => {
      sum += (p - (document.labels?.[i] ?? Number.NaN)) ** 2
      count++
    })
  return sum / count
}

describe('trainBaselines', () => {
  test('trainBaselines(...) answers every question with one number a concept', () => {
    for (const baseline of Object.values(baselines))
      for (const document of fresh.documents.slice(0, 20)) {
        const posterior = Array.from(baseline.posterior(document))
        expect(posterior.length).toBe(concepts.length)
        expect(posterior.every(p => p >= 0 && p <= 1)).toBe(true)
        const scores = Array.from(baseline.lastTag(document, [2]))
        expect(scores.map(Number.isFinite)).toEqual(concepts.map((_, i) => i !== 2))
        expect(baseline.logTags(document.labels ?? [])).toBeLessThan(0)
      }
  })

  test('trainBaselines(...) does not look at tags', () => {
    const untagged = {...corpus, documents: corpus.documents.map(document => ({...document, labels: undefined}))}
    const blind = trainBaselines(untagged, concepts, quick)
    const evidence = fresh.documents[0]
    for (const [name, baseline] of Object.entries(baselines))
      expect(
        Object.entries(blind)
          .find(([other]) => other === name)?.[1]
          .posterior(evidence)
      ).toEqual(baseline.posterior(evidence))
  })

  test('trainBaselines(...) that correct for missed anchors beat the anchor as label, and the rule beats no anchor', () => {
    const errors = new Map(Object.entries(baselines).map(([name, baseline]) => [name, brier(baseline, fresh)]))
    const of = (name: string) => errors.get(name) ?? Number.NaN
    const prior = brier({posterior: () => concepts.map(concept => concept.prevalence)}, fresh)
    for (const name of ['noise-unbiased', 'noise-weighted', 'positive-unlabelled']) {
      expect(of(name)).toBeLessThan(prior)
      expect(of(name)).toBeLessThan(of('anchor-label'))
      expect(of(`${name}-rule`)).toBeLessThan(of(name))
    }
    // On documents that the model itself drew, a noisy-or with a tree is the right thing, though learned from one draw.
    expect(of('imputation')).toBeLessThan(of('noise-unbiased-rule'))
  })

  test('trainBaselines(...) comes near the model that drew the documents', () => {
    const own = brier({posterior: evidence => infer(model, evidence).probabilities}, fresh)
    expect(brier(baselines.imputation, fresh)).toBeLessThan(1.3 * own)
    expect(brier(baselines.imputation, fresh)).toBeGreaterThan(own)
  })

  test('trainBaselines(...) never shows a classifier the anchor of its own concept; the rule believes it alone', () => {
    const {words} = fresh.documents[0]
    for (const name of ['anchor-label', 'positive-unlabelled', 'noise-unbiased', 'noise-weighted'] as const)
      concepts.forEach((_, i) => {
        const [without, own] = [[], [i]].map(anchors => baselines[name].posterior({words, anchors, members: []})[i])
        expect(own).toBe(without)
        const {truePositive: t, falsePositive: e, prevalence: p} = concepts[i]
        const believed = baselines[`${name}-rule`].posterior({words, anchors: [i], members: []})[i]
        expect(believed).toBeCloseTo((t * p) / (t * p + e * (1 - p)), 10)
      })
  })

  test('trainBaselines(...) tells its progress up to the total, and stops when asked', () => {
    const seen: number[] = []
    let total = 0
    const few = {...corpus, documents: corpus.documents.slice(0, 150)}
    const onProgress = (done: number, all: number) => {
      seen.push(done)
      total = all
    }
    trainBaselines(few, concepts, {ridges: [1, 10], stepLimit: 2}, {onProgress})
    expect(seen).toEqual(Array.from({length: total}, (_, at) => at + 1))
    const stop = new AbortController()
    let fits = 0
    const abort = () => {
      fits++
      stop.abort()
    }
    expect(() => trainBaselines(few, concepts, quick, {signal: stop.signal, onProgress: abort})).toThrow(
      expect.objectContaining({code: 'cancelled'})
    )
    expect(fits).toBe(1)
  })

  test('trainBaselines(...) can do with two documents where an anchor fires', () => {
    const few = corpus.documents.slice(0, 150)
    const without = few.filter(({anchors}) => !anchors.includes(1))
    const two = corpus.documents.filter(({anchors}) => anchors.includes(1)).slice(0, 2)
    const rates = concepts.map((concept, i) => (i === 1 ? {...concept, falsePositive: 1e-3} : concept))
    const {imputation} = trainBaselines({...corpus, documents: [...without, ...two]}, rates, {ridges: [1, 10]})
    expect(imputation.certificate.classifiers?.heldOut.length).toBe(2)
  })

  test('trainBaselines(...) certifies the ridge and what was held out for it', () => {
    const few = {...corpus, documents: corpus.documents.slice(0, 150)}
    const chosen = trainBaselines(few, concepts, {ridges: [1, 50], tolerance: 1e-3})
    for (const name of ['anchor-label', 'noise-unbiased', 'noise-weighted-rule', 'imputation'] as const)
      expect(chosen[name].certificate.classifiers?.heldOut.length).toBe(2)
    expect(chosen['positive-unlabelled'].certificate.classifiers?.ridge).toBe(
      chosen['anchor-label'].certificate.classifiers?.ridge
    )
    expect(chosen.imputation.certificate.noisyOr?.status).toBe('optimal')
  })

  test('trainBaselines(...) draws other tags for another seed', () => {
    const few = {...corpus, documents: corpus.documents.slice(0, 150)}
    const document = fresh.documents[0]
    const draw = (seed: number) =>
      Array.from(trainBaselines(few, concepts, {...quick, seed}).imputation.posterior(document))
    expect(draw(1)).toEqual(draw(1))
    expect(draw(1)).not.toEqual(draw(2))
  })
})

describe('trainBaselines refuses or does without', () => {
  const change = (part: Partial<Concept>) => concepts.map((concept, i) => (i === 1 ? {...concept, ...part} : concept))

  test.each([
    [{name: 'other'}, 'mismatch', 'read the documents with the lexicon'],
    [{truePositive: 1}, 'bad-model', 'between 0 and 1 that differ']
  ])('trainBaselines(...) a concept with %o', (part, code, message) => {
    const attempt = () => trainBaselines(corpus, change(part), quick)
    expect(attempt).toThrow(message)
    expect(attempt).toThrow(expect.objectContaining({code}))
  })

  test.each([
    [{truePositive: 0.01}, 'must fire more often with the concept than without'],
    [{falsePositive: 0.55}, 'its rates imply 55% to'],
    [{truePositive: 0.1}, 'its rates imply 3.2% to 10%']
  ])('trainBaselines(...) has only the prevalence of a concept with %o, and says so', (part, reason) => {
    const {'noise-weighted': found} = trainBaselines(corpus, change(part), quick)
    expect(found.certificate.untrained).toEqual([{concept: concepts[1].name, reason: expect.stringContaining(reason)}])
    expect(found.posterior(fresh.documents[0])[1]).toBeCloseTo(change(part)[1].prevalence, 12)
  })

  test('trainBaselines(...) has only the prevalence of a concept whose anchor fires once, and says so', () => {
    const some = corpus.documents.filter(({anchors}) => !anchors.includes(1))
    const one = corpus.documents.filter(({anchors}) => anchors.includes(1)).slice(0, 1)
    const rates = change({falsePositive: 1e-6, truePositive: 0.5})
    const found = trainBaselines({...corpus, documents: [...some, ...one]}, rates, quick)
    for (const name of ['anchor-label', 'noise-weighted', 'noise-unbiased-rule', 'positive-unlabelled'] as const) {
      expect(found[name].certificate.untrained).toEqual([
        {
          concept: concepts[1].name,
          reason: `its anchor fires in 1 of ${grouped(some.length + 1)} training documents, and a classifier needs 2 with and 2 without`
        }
      ])
      expect(found[name].posterior(some[0])[1]).toBeCloseTo(rates[1].prevalence, 12)
      expect(new Set(some.slice(0, 20).map(other => found[name].posterior(other)[0])).size).toBeGreaterThan(1)
    }
  })

  test.each([
    [{ridges: []}, '`ridges` must be a list of one or more numbers above 0; got []'],
    [{ridges: [1, 0]}, '`ridges` must be a list of one or more numbers above 0; got [1,0]'],
    [{folds: 1}, '`folds` must be'],
    [{seed: 0.5}, '`seed` must be'],
    [{tolerance: 0}, '`tolerance` must be'],
    [{stepLimit: 1.5}, '`stepLimit` must be'],
    [JSON.parse('{"ridge": 1}'), 'did you mean "ridges"?']
  ])('trainBaselines(..., %o)', (options, message) => {
    expect(() => trainBaselines(corpus, concepts, options)).toThrow(message)
  })
})

test('anchorsInNetwork(...) is the model with its words hidden', () => {
  const baseline = anchorsInNetwork(corpus, concepts, model.network)
  for (const document of fresh.documents.slice(0, 50)) {
    const {probabilities} = infer(model, document, {words: 'hidden'})
    Array.from(baseline.posterior(document)).forEach((p, i) => {
      expect(p).toBeCloseTo(probabilities[i], 10)
    })
    const scores = createLastTagScorer(model, {words: 'hidden'}).score(document, [0])
    Array.from(baseline.lastTag(document, [0])).forEach((score, i) => {
      if (i > 0) expect(score).toBeCloseTo(scores[i], 9)
    })
    expect(baseline.logTags(document.labels ?? [])).toBe(logPrior(model.network, document.labels ?? []))
  }
})

const cooking = new URL('../../../../shared/data/cooking.jsonl.gz', import.meta.url)

/** Questions about cooking, 1,500 to learn from and 700 more; anchors are common tags of which a fifth stand in the title. */
function realQuestions() {
  const lines = gunzipSync(readFileSync(cooking)).toString('utf8').trim().split('\n').slice(0, 2200)
  const parsed = lines.map(line => JSON.parse(line))
  const rows = parsed.map((row, at) => parseRow(row, {fields: ['title', 'text']}, `row ${at}`))
  const survey = new TagSurvey()
  for (const row of rows) survey.add(row)
  const build = (tags: readonly string[]) =>
    buildCorpus(parsed, anchorsFromTags(tags, ['title']), {vocabulary: 300, skipBadAnchors: true})
  const rates = trueRates(build(survey.commonest(15)))
  const usable = rates.filter(({truePositive}) => truePositive > 0.2)
  const {lexicon} = build(usable.map(({name}) => name))
  return {train: encodeCorpus(rows.slice(0, 1500), lexicon), test: encodeCorpus(rows.slice(1500), lexicon)}
}

/** Rates and prevalences as the tags of the documents say. */
function trueRates({lexicon, documents}: Corpus): Concept[] {
  return lexicon.anchors.map(({concept}, i) => {
    const counts = [0, 0]
    const fired = [0, 0]
    for (const {anchors, labels} of documents) {
      const y = labels?.[i] ?? 0
      counts[y]++
      if (anchors.includes(i)) fired[y]++
    }
    return {
      name: concept,
      truePositive: Math.min(fired[1] / counts[1], 0.98),
      falsePositive: Math.max(fired[0] / counts[0], 1e-4),
      prevalence: counts[1] / documents.length
    }
  })
}

/** The share of pairs, one document with the tag and one without, in the right order; the mean over concepts. */
function meanArea({posterior}: Pick<Baseline, 'posterior'>, {documents, lexicon}: Corpus): number {
  const scores = documents.map(document => posterior(document))
  const areas = lexicon.anchors.map((_, i) => {
    const [absent, present] = [0, 1].map(y => scores.filter((_, d) => documents[d].labels?.[i] === y).map(p => p[i]))
    const right = present.map(p => absent.filter(q => q < p).length + absent.filter(q => q === p).length / 2)
    return right.reduce((sum, count) => sum + count, 0) / (present.length * absent.length)
  })
  return areas.reduce((sum, area) => sum + area, 0) / areas.length
}

describe.skipIf(!existsSync(cooking))('trainBaselines on real questions', () => {
  test('trainBaselines(...) ranks better than the anchors alone, the noise-tolerant ones among them', () => {
    const {train, test: rest} = realQuestions()
    const rates = trueRates(train)
    const alone = meanArea(anchorsInNetwork(train, rates, independent(rates)), rest)
    expect(rates.length).toBeGreaterThan(7)
    expect(alone).toBeGreaterThan(0.6)
    for (const [name, baseline] of Object.entries(trainBaselines(train, rates, {ridges: [4], tolerance: 1e-3})))
      expect([name, meanArea(baseline, rest) > alone]).toEqual([name, true])
  })
})

function independent(rates: readonly Concept[]): BayesNetwork {
  return {parents: rates.map(() => []), cpt: rates.map(({prevalence}) => Float64Array.of(prevalence))}
}
