/**
 * Claim: on votes of labelling functions for exclusive classes, how the model of `adfa fit` compares with methods made for votes.
 * Learned from the train documents of the WRENCH format without their labels; with validation labels, the documents of
 * valid.json are among them with their tags; "refused" where a fit refuses an anchor by these. Accuracy and macro F1 of the most
 * probable class on test documents. `supervised` is the ceiling: it learns from the labels of the train documents. "annotators": the
 * same documents with votes of five drawn annotators, right in 50% to 90% of the 60% of the documents that each of them judges.
 *
 * Command: npx tsx research/bench/wrench.ts (needs the data beside the checkout)
 */
import {fileURLToPath} from 'node:url'
import {wrench, wrenchClasses} from '../../examples/convert/wrench.ts'
import {AdfaError} from '../../src/base/checks/index.ts'
import {type Rng, rng} from '../../src/base/numeric/index.ts'
import {createSampleFilter, learnFromCounts} from '../../src/learn/learn.ts'
import type {Model} from '../../src/learn/model/index.ts'
import {countCorpus} from '../../src/read/counts/index.ts'
import {
  anchorRule,
  encodeCorpus,
  learnLexicon,
  parseAnchors,
  parseRow,
  type Row,
  textDefaults
} from '../../src/read/data/index.ts'
import {countingDefaults} from '../../src/read/engines/index.ts'
import {trainCeiling, trainVoteBaselines} from '../../src/use/baselines/index.ts'
import {type Evaluation, evaluate, type Figures} from '../../src/use/evaluation/index.ts'
import type {Predictor} from '../../src/use/prediction/index.ts'
import {dataFolder} from '../quality/corpora.ts'
import {type BenchRow, record, rounded} from './bench.ts'

const SETS = ['youtube', 'trec'] as const
const PARTS = ['train', 'valid', 'test']
const ACCURACIES = [0.5, 0.6, 0.7, 0.8, 0.9]
const COVERAGE = 0.6
type WrenchSet = (typeof SETS)[number]

const table = new Map<string, Record<string, number | string>>()
for (const set of SETS) for (const by of ['', ' annotators'] as const) await measure(set, by)
const rows: BenchRow[] = [...table.values()]
record('wrench', 'Votes for exclusive classes: accuracy and macro F1 on test documents', rows)

async function measure(set: WrenchSet, by: '' | ' annotators'): Promise<void> {
  const classes = wrenchClasses(pathOf(set, 'train'))
  const random = rng(0)
  const annotated = (row: Row) => (by === '' ? row : {...row, features: drawnVotes(row, classes, random)})
  const [train, valid, test] = (await Promise.all(PARTS.map(part => read(set, part)))).map(rows => rows.map(annotated))
  const hidden = train.map(row => ({...row, tags: undefined}))
  const {model, corpus} = await learn(hidden, classes, 0)
  const others = {
    ...trainVoteBaselines(corpus, model.concepts),
    supervised: trainCeiling(encodeCorpus(train, model.lexicon), model.concepts).supervised
  }
  const {baselines, ...own} = figuresOf(model, test, others)
  note(`${set}${by}`, 'adfa, no labels', own)
  try {
    note(
      `${set}${by}`,
      'adfa, validation labels',
      figuresOf((await learn([...hidden, ...valid], classes, 1)).model, test, {})
    )
  } catch (error) {
    if (!(error instanceof AdfaError)) throw error
    console.log(`${set}, validation labels: ${error.message}`)
    note(`${set}${by}`, 'adfa, validation labels', undefined)
  }
  for (const [method, figures] of Object.entries(baselines)) note(`${set}${by}`, method, figures)
}

/** Votes of annotators for the class of a document, or for any other. */
function drawnVotes({tags = []}: Row, classes: readonly string[], random: Rng): string[] {
  return ACCURACIES.flatMap((accuracy, s) => {
    if (random.next() >= COVERAGE) return []
    const others = classes.filter(name => name !== tags[0])
    const vote = random.next() < accuracy ? tags[0] : others[Math.floor(random.next() * others.length)]
    return [`votes:a${s}=${vote}`]
  })
}

/** A model of the documents as `adfa fit` learns it, and the documents. */
async function learn(documents: readonly Row[], classes: readonly string[] | undefined, labelShare: number) {
  const lexicon = learnLexicon(
    documents,
    anchorRule(parseAnchors(JSON.stringify({$exclusive: [classes]}), 'label.json')),
    countingDefaults
  )
  const corpus = encodeCorpus(documents, lexicon)
  const counts = countCorpus(corpus, {labelShare, seed: 0})
  const sampled = corpus.documents.filter(createSampleFilter(counts, undefined, 0))
  return {corpus, model: await learnFromCounts(counts, {lexicon, documents: sampled}, {}, {})}
}

function figuresOf(model: Model, test: readonly Row[], others: Readonly<Record<string, Predictor>>): Evaluation {
  return evaluate(model, encodeCorpus(test, model.lexicon), undefined, others)
}

function note(set: string, method: string, figures: Figures | undefined): void {
  const row = table.get(method) ?? {method}
  const [group] = figures?.groups ?? []
  row[`${set} accuracy`] = group === undefined ? 'refused' : rounded(group.accuracy)
  row[`${set} macro F1`] = group === undefined ? 'refused' : rounded(group.macroF1)
  table.set(method, row)
}

function pathOf(set: string, part: string): string {
  return fileURLToPath(new URL(`wrench/${set}/${part}.json.gz`, dataFolder))
}

/** Documents are numbered per file, so their ids name the file too. */
async function read(set: string, part: string): Promise<Row[]> {
  const rows: Row[] = []
  for await (const document of wrench(pathOf(set, part)))
    rows.push(parseRow({...document, id: `${part} ${document.id}`}, textDefaults, part))
  return rows
}
