/**
 * Claim: without labels, the 90% intervals of prevalence and precision that people read hold the rates of the tags in about
 * nine of ten cases, and no concept is refused.
 * Compared with the rates by the tags, for every anchor that fires in 30 documents or more and whose tag some document has,
 * good or bad. (Half a document is added to those with and those without the tag, as a precision of 1 in 40 documents is no
 * certainty.) The points to predict with are beside: root mean square errors of ln p and ln r of what people read and of them.
 * With labels: how many concepts all tags refuse, and how many of these only as imprecise.
 *
 * Command: npx tsx research/bench/label-free-rates.ts [most documents, 4000 by default] (needs the corpora beside the checkout)
 */
import {fileURLToPath} from 'node:url'
import {log} from '../../src/base/numeric/index.ts'
import {autoRates, judgeNoise, noiseTable, type RateInterval, scoreAnchors} from '../../src/learn/noise/index.ts'
import {encodeCorpus, parseAnchors, type Row} from '../../src/read/data/index.ts'
import {type AnchorSource, countDocuments} from '../../src/read/engines/index.ts'
import {openDocuments, readTextFile} from '../../src/read/files/index.ts'
import {autoEstimate, cellsOf, mean} from '../figures/noise-rates-estimates.ts'
import {dataFolder, findCorpus} from '../quality/corpora.ts'
import {type BenchRow, record, rounded} from './record.ts'

const FIELDS = ['title', 'text']
const MOST_DOCUMENTS = Number(process.argv[2] ?? 4000)
const LEAST_DOCUMENTS = 30

interface AnchorSet {
  readonly corpus: string
  /** The name of a tag in these fields; without any, the list of anchors beside the corpus. */
  readonly fields: readonly string[]
  readonly negation?: boolean
}

const sets: readonly AnchorSet[] = [
  ...['cooking', 'debian-packages', 'npm-packages', 'robotics', 'stackoverflow-bodies'].flatMap(corpus => [
    {corpus, fields: ['title']},
    {corpus, fields: FIELDS}
  ]),
  {corpus: 'stackoverflow-titles', fields: ['title']},
  ...['chest-xray', 'radiology-icd9'].flatMap(corpus => [
    {corpus, fields: []},
    {corpus, fields: [], negation: true}
  ])
]

const rows: BenchRow[] = []
for (const set of sets) rows.push(await measure(set))
const corpora = [...new Set(sets.map(({corpus}) => corpus))]
const numbers = [
  'prevalence covered',
  'precision covered',
  'error of ln p',
  'of points',
  'error of ln r',
  'of points r',
  'refused'
] as const
rows.push({
  anchors: 'mean, each corpus once',
  concepts: '',
  ...Object.fromEntries(
    numbers.map(name => [
      name,
      rounded(
        mean(
          corpora.map(corpus => mean(rows.filter((_, at) => sets[at]?.corpus === corpus).map(row => Number(row[name]))))
        )
      )
    ])
  )
})
record('label-free-rates', 'Without labels: the intervals of prevalence and precision hold the rates of the tags', rows)

async function measure({corpus, fields, negation = false}: AnchorSet): Promise<BenchRow> {
  const documents = openDocuments([fileURLToPath(findCorpus(corpus, dataFolder))], {fields: FIELDS})
  const read: Row[] = []
  for await (const batch of documents.batches()) read.push(...batch)
  await documents.close()
  const list = fileURLToPath(new URL(`${corpus}.anchors.json`, dataFolder))
  const source: AnchorSource =
    fields.length > 0
      ? {kind: 'tags', fields, topTags: 50}
      : {kind: 'given', anchors: parseAnchors(await readTextFile(list), list)}
  const some = read.slice(0, MOST_DOCUMENTS)
  const batches = async function* () {
    yield some
  }
  const counts = await countDocuments({batches}, source, {
    ...{fields: FIELDS, negation, skipBadAnchors: true, labelShare: 1}
  })
  const scores = scoreAnchors(encodeCorpus(some, counts.lexicon))
  const bare = {...counts, labelled: new Float64Array(counts.labelled.length)}
  const found = noiseTable(bare, {scores}).flatMap((row, i) => {
    const {positives, hits, fired, labelled} = cellsOf(counts, i)
    const rates = autoRates(row)
    if (positives === 0 || fired < LEAST_DOCUMENTS || typeof rates === 'string') return []
    const truth = {prevalence: positives / labelled, precision: (hits + 0.5) / (fired + 1)}
    const points = autoEstimate(row)
    const square = (value: number, of: number) => log(value / of) ** 2
    return [
      {
        prevalence: holds(rates.prevalence, truth.prevalence),
        precision: holds(rates.precision, truth.precision),
        errors: [
          square(rates.prevalence.value, truth.prevalence),
          square(points?.prevalence.value ?? Number.NaN, truth.prevalence),
          square(rates.precision.value, truth.precision),
          square(points?.precision?.value ?? Number.NaN, truth.precision)
        ]
      }
    ]
  })
  const byLabels = judgeNoise(counts, 'auto', {scores}).refused
  const error = (at: number) => rounded(Math.sqrt(mean(found.map(({errors}) => errors[at]))))
  return {
    anchors: `${corpus}, ${fields.length > 0 ? fields.join(' or ') : `word lists${negation ? ', negation' : ''}`}`,
    concepts: found.length,
    'prevalence covered': rounded(mean(found.map(one => one.prevalence))),
    'precision covered': rounded(mean(found.map(one => one.precision))),
    'error of ln p': error(0),
    'of points': error(1),
    'error of ln r': error(2),
    'of points r': error(3),
    refused: judgeNoise(bare, 'auto', {scores}).refused.length,
    'refused by labels': `${byLabels.length} of ${counts.lexicon.anchors.length}`,
    'as imprecise': byLabels.filter(({reason}) => reason.startsWith('by the labels')).length
  }
}

function holds({low, high}: RateInterval, truth: number): number {
  return low <= truth && truth <= high ? 1 : 0
}
