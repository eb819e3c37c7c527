/**
 * What 150 labels are worth, with the tags of corpora as labels (docs/words.md, docs/evaluation.md):
 *
 *     npx tsx research/labels.ts choice      # would another threshold or word model, chosen by labels, do better on held-out documents?
 *     npx tsx research/labels.ts coverage    # do the intervals of adfa evaluate --labels cover?
 *
 * A fit takes 10 to 60 s; `choice` makes 18, `coverage` 3.
 */
import {existsSync} from 'node:fs'
import {hashShare, rng, shuffled} from '../src/base/numeric/index.ts'
import {learn} from '../src/learn/learn.ts'
import {bestThreshold} from '../src/learn/robust/index.ts'
import {createEncoder, type Evidence, parseAnchors, type Row} from '../src/read/data/index.ts'
import {openDocuments, readTextFile} from '../src/read/files/index.ts'
import {LabelEvaluator} from '../src/use/evaluation/index.ts'
import {createPredictor, evenRule} from '../src/use/prediction/index.ts'
import {emergencyModel, generateDocuments} from '../src/use/synthetic/index.ts'
import {dataFolder, findCorpus} from './quality/corpora.ts'

const LABELS = 150
const CORPORA = ['chest-xray', 'cooking', 'npm-packages']

interface Problem {
  readonly rows: readonly Record<string, unknown>[]
  readonly anchors: Parameters<typeof learn>[1]
  readonly options: Parameters<typeof learn>[2]
}

async function readProblem(name: string): Promise<Problem> {
  if (name === 'emergency') {
    const truth = emergencyModel()
    const anchors = truth.lexicon.anchors.map(anchor => ({...anchor, rates: undefined}))
    return {rows: [...generateDocuments(truth, 8000, rng(1))].map(row => ({...row})), anchors, options: {}}
  }
  const rows: Record<string, unknown>[] = []
  const source = openDocuments([findCorpus(name, dataFolder).pathname], {text: ['title', 'text']})
  for await (const batch of source.batches())
    for (const row of batch) rows.push({id: row.id, ...Object.fromEntries(row.text), tags: row.tags})
  const file = new URL(`${name}.anchors.json`, dataFolder)
  if (existsSync(file))
    return {rows, anchors: parseAnchors(await readTextFile(file.pathname), file.pathname), options: {negation: true}}
  const anchorsFromTags = name === 'npm-packages' ? ['title', 'text'] : ['title']
  return {rows, anchors: undefined, options: {anchorsFromTags, topTags: 50, minTags: 2}}
}

/** A document as the model sees it. */
interface Judged {
  readonly role: 'labelled' | 'training' | 'held out'
  readonly fired: Evidence['anchors']
  readonly labels: Int8Array
  readonly weights: ArrayLike<number>
  readonly links: ArrayLike<number>
}

/** Learns from three quarters of the documents (`split`), with the tags of 150 of them (`draw`) as labels. */
async function judged({rows, anchors, options}: Problem, split: number, draw: number) {
  const tagsOf = (row: Record<string, unknown>) => row.tags as readonly string[]
  const isTraining = (row: Record<string, unknown>) => hashShare(`split ${row.id}`, 1000 + split) < 0.75
  const training = rows.filter(isTraining)
  const drawn = training
    .toSorted((a, b) => hashShare(`draw ${a.id}`, draw) - hashShare(`draw ${b.id}`, draw))
    .filter(row => (options?.minTags ?? 0) <= tagsOf(row).length)
    .slice(0, LABELS)
  const known = new Set(rows.flatMap(tagsOf))
  const labels = new Map(
    drawn.map(row => [String(row.id), new Map([...known].map(tag => [tag, tagsOf(row).includes(tag)]))])
  )
  const model = await learn(training, anchors, {...options, labels, skipBadAnchors: true, words: 'weights'})
  const [weights, links] = [createPredictor(model), createPredictor(model, {wordModel: 'noisy-or'})]
  const encoder = createEncoder(model.lexicon)
  const documents: Judged[] = []
  for (const row of rows) {
    const parsed: Row = {
      id: String(row.id),
      text: new Map(['title', 'text'].map(field => [field, String(row[field] ?? '')])),
      features: (row.features as readonly string[] | undefined) ?? [],
      tags: tagsOf(row),
      labels: undefined
    }
    const truth = encoder.labels(parsed)
    if (!encoder.accepts(parsed) || truth === undefined) continue
    const evidence = encoder.encode(parsed)
    documents.push({
      role: labels.has(String(row.id)) ? 'labelled' : isTraining(row) ? 'training' : 'held out',
      fired: evidence.anchors,
      labels: truth,
      weights: weights.posterior(evidence),
      links: links.posterior(evidence)
    })
  }
  return {names: model.concepts.map(({name}) => name), threshold: model.wordModel.threshold ?? 0.5, documents}
}

const THRESHOLDS = Array.from({length: 46}, (_, at) => 0.05 + 0.01 * at)

async function choice(): Promise<void> {
  const f1 = (some: readonly Judged[], threshold: number) => figuresOf(some, threshold).f1
  for (const [name, splits] of [...CORPORA.map(corpus => [corpus, 5] as const), ['emergency', 3] as const]) {
    const problem = await readProblem(name)
    for (let split = 0; split < splits; split++) {
      const {documents, threshold} = await judged(problem, split, split)
      const [labelled, heldOut] = (['labelled', 'held out'] as const).map(role =>
        documents.filter(one => one.role === role)
      )
      const best = (some: readonly Judged[]) => THRESHOLDS.toSorted((a, b) => f1(some, b) - f1(some, a))[0]
      const columns = documents.filter(({role}) => role !== 'held out').map(({links}) => Float64Array.from(links))
      const figures = {
        weights: f1(heldOut, threshold),
        thresholdByLabels: f1(heldOut, best(labelled)),
        bestThreshold: f1(heldOut, best(heldOut)),
        links: figuresOf(heldOut, bestThreshold(columns), undefined, 'links').f1
      }
      console.log(name, split, JSON.stringify(figures))
    }
  }
}

const DRAWS = 30
const FIGURES = ['f1', 'precision', 'recall'] as const

/** Labels drawn again and again from all documents, as adfa label draws them, against the tags of all. */
async function coverage(): Promise<void> {
  for (const name of CORPORA) {
    const {documents, names, threshold} = await judged(await readProblem(name), 0, 0)
    const exact = (concepts: readonly number[]) => figuresOf(documents, threshold, concepts)
    const all = [...names.keys()]
    const least = (5 / LABELS) * documents.length
    const frequent = all.filter(i => documents.filter(({weights}) => weights[i] >= threshold).length >= least)
    const covered = new Map<string, number[]>()
    for (let draw = 0; draw < DRAWS; draw++) {
      const {micro, macro, concepts} = drawLabels(documents, names, threshold, draw)
      for (const figure of FIGURES) {
        const note = (part: string, {low, high, value}: (typeof micro)['f1'], truth: number) => {
          if (!Number.isNaN(value) && !Number.isNaN(truth))
            covered.set(`${part} ${figure}`, [
              ...(covered.get(`${part} ${figure}`) ?? []),
              low <= truth && truth <= high ? 1 : 0
            ])
        }
        note('all decisions', micro[figure], exact(all)[figure])
        note('mean', macro[figure], frequent.reduce((sum, i) => sum + exact([i])[figure], 0) / frequent.length)
        for (const [i, own] of concepts.entries()) note('concepts', own[figure], exact([i])[figure])
      }
    }
    for (const [part, hits] of covered)
      console.log(name, part, `${Math.round((100 * hits.reduce((sum, hit) => sum + hit, 0)) / hits.length)}%`)
  }
}

function figuresOf(
  documents: readonly Judged[],
  threshold: number,
  concepts?: readonly number[],
  by: 'weights' | 'links' = 'weights'
) {
  let [hits, reported, present] = [0, 0, 0]
  for (const {labels, [by]: posterior} of documents)
    for (const i of concepts ?? labels.keys()) {
      const isReported = posterior[i] >= threshold
      if (isReported) reported++
      present += labels[i]
      if (isReported) hits += labels[i]
    }
  return {f1: (2 * hits) / (reported + present), precision: hits / reported, recall: hits / present}
}

/** 150 whole documents, and three short answers per concept. */
function drawLabels(documents: readonly Judged[], names: readonly string[], threshold: number, seed: number) {
  const order = shuffled([...documents.keys()], rng(seed))
  const whole = new Set(order.slice(0, LABELS))
  const asked = new Map<number, number[]>()
  for (const i of names.keys())
    for (const d of order.filter(at => documents[at].fired.includes(i) && !whole.has(at)).slice(0, 3))
      asked.set(d, [...(asked.get(d) ?? []), i])
  const evaluator = new LabelEvaluator(names, evenRule(names.length, threshold))
  documents.forEach(({weights, fired, labels}, d) => {
    const short = asked.get(d)
    if (whole.has(d)) evaluator.add(weights, fired, labels)
    else if (short === undefined) evaluator.add(weights, fired)
    else
      evaluator.add(
        weights,
        fired,
        labels.map((label, i) => (short.includes(i) ? label : -1)),
        'anchored'
      )
  })
  return evaluator.finish(seed)
}

const modes: Readonly<Record<string, () => Promise<void>>> = {choice, coverage}
const mode = modes[process.argv[2] ?? '']
if (mode === undefined) throw new Error(`research/labels.ts ${Object.keys(modes).join('|')}`)
await mode()
