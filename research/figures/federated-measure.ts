import {rng} from '../../src/base/numeric/index.ts'
import {fit} from '../../src/learn/fit.ts'
import {anchorsWithRates} from '../../src/learn/model/index.ts'
import type {FitOptions} from '../../src/learn/options.ts'
import {type Counts, countCorpus, mergeCounts} from '../../src/read/counts/index.ts'
import {buildCorpus, type Corpus, encodeCorpus, parseRow} from '../../src/read/data/index.ts'
import {poolReleases, releaseCounts, releaseToCounts} from '../../src/read/pooling/index.ts'
import {evaluate} from '../../src/use/evaluation/index.ts'
import {emergencyModel, generateDocuments} from '../../src/use/synthetic/index.ts'

/** Figures of one way to learn, at one size of the hospitals, over several draws of them. */
export interface Figure {
  /** Documents of the three hospitals together. */
  readonly documents: number
  readonly way: 'central' | 'best hospital' | 'anchors only' | 'withheld'
  /** The threshold c; 0 where there is none. */
  readonly setting: number
  /** One per draw. */
  readonly lastTag: readonly number[]
  readonly averagePrecision: readonly number[]
  /** Share of the numbers withheld in the pooled tables. */
  readonly withheld: number
}

export const thresholds = [0, 5, 10, 20, 30, 50]

/** Factors on the odds of some conditions; everything else is the same in all hospitals. */
const hospitals = [
  {
    name: 'north',
    share: 5 / 11,
    times: new Map(Object.entries({fall: 2, 'motor vehicle collision': 2, 'back pain': 2}))
  },
  {name: 'south', share: 4 / 11, times: new Map(Object.entries({pneumonia: 0.5, cellulitis: 0.5, headache: 0.5}))},
  {name: 'west', share: 2 / 11, times: new Map(Object.entries({alcohol: 3, 'suicidal ideation': 2}))}
]
/** The words of these documents are drawn by a noisy-or, so predictions use it. */
const options: Partial<FitOptions> = {words: 'noisy-or'}
const truth = emergencyModel()
const {lexicon} = buildCorpus(generateDocuments(truth, 5000, rng(1)), anchorsWithRates(truth))

/** All figures of one draw of three hospitals, and of 2,000 new documents of each. */
export async function measureDraw(documents: number, draw: number): Promise<Figure[]> {
  const random = rng(draw)
  const corpora = hospitals.map(({name, share, times}) =>
    drawCorpus(Math.round(share * documents), times, random.stream(name))
  )
  const fresh = hospitals.map(({name, times}) => drawCorpus(2000, times, random.stream(`new ${name}`)))
  const test = {lexicon, documents: fresh.flatMap(corpus => corpus.documents)}
  const figure = async (way: Figure['way'], setting: number, counts: Counts): Promise<Figure> => {
    const {lastTag, tagging} = evaluate(await fit(counts, options), test)
    const {withheld, numbers} = counts.tables ?? {withheld: 0, numbers: 1}
    return {
      ...{documents, way, setting, withheld: withheld / numbers},
      ...{lastTag: [lastTag.accuracy], averagePrecision: [tagging.averagePrecision]}
    }
  }
  const counts = corpora.map(corpus => countCorpus(corpus))
  const central = mergeCounts(counts)
  const {lastTag, tagging} = evaluate(await fit(central, options), test).baselines['anchors-only']
  const alone = (await Promise.all(counts.map(own => figure('best hospital', 0, own)))).toSorted(
    (a, b) => b.lastTag[0] - a.lastTag[0]
  )
  const anchorsOnly = {lastTag: [lastTag.accuracy], averagePrecision: [tagging.averagePrecision]}
  return [
    await figure('central', 0, central),
    alone[0],
    {documents, way: 'anchors only', setting: 0, withheld: 0, ...anchorsOnly},
    ...(await Promise.all(thresholds.map(minCell => figure('withheld', minCell, withheldBelow(counts, minCell)))))
  ]
}

function drawCorpus(count: number, times: ReadonlyMap<string, number>, random: ReturnType<typeof rng>): Corpus {
  const cpt = truth.network.cpt.map((chances, i) => {
    const factor = times.get(truth.concepts[i].name) ?? 1
    return chances.map(p => (p * factor) / (p * factor + 1 - p))
  })
  const rows = generateDocuments({...truth, network: {...truth.network, cpt}}, count, random)
  return encodeCorpus(
    [...rows].map(row => parseRow(row, lexicon.text, row.id)),
    lexicon
  )
}

function withheldBelow(counts: readonly Counts[], minCell: number): Counts {
  const releases = counts.map((own, at) => releaseCounts(own, {maxOrder: 2, minCell, site: hospitals[at].name}))
  return releaseToCounts(poolReleases(releases))
}
