/**
 * Two questions about the advice of adfa (docs/advice.md).
 *
 * - uncovered: does the doctor point at documents that no anchor covers? The anchor of one concept at a time is hidden. A hit: in one
 *   of the groups shown, at least half of the documents have its tag. A group is about one thing if at least half of its documents
 *   share a tag that is three times as common there as in all documents. At most 8,000 documents; tags are for judging alone.
 * - forms: what other forms of an anchor's words are worth. The anchor of a tag is its own name, then also the forms that `findForms`
 *   finds in the training documents without their tags.
 *
 * Command: npx tsx research/quality/advice.ts uncovered|forms [CORPUS...]
 */
import {hashShare} from '../../src/base/numeric/index.ts'
import {fit} from '../../src/learn/fit.ts'
import {encodeCorpus, learnLexicon, type Row, rowKey, vocabularyDefaults} from '../../src/read/data/index.ts'
import {findForms, uncoveredGroups} from '../../src/use/advice/index.ts'
import {evaluate} from '../../src/use/evaluation/index.ts'
import {dataFolder, type QualityCorpus} from './corpora.ts'
import {anchorSource, type QualityProblem, readRows, splitProblem, withAnchors} from './problem.ts'
import {ratedCounts} from './rates.ts'
import {runStudy} from './study.ts'

const MOST_DOCUMENTS = 8000
/** A concept is tried if this share of the documents has its tag, and called common at the second share. */
const TRIED = 0.01
const COMMON = 0.03
/** A concept is called uncovered if no other anchor fires in this share of the documents with its tag. */
const UNCOVERED = 0.7

/** Hits and trials of each kind. */
type Tally = Record<'found' | 'common' | 'uncovered' | 'groups', [hits: number, trials: number]>
const emptyTally = (): Tally => ({found: [0, 0], common: [0, 0], uncovered: [0, 0], groups: [0, 0]})
const tallied = (tally: Tally) => Object.values(tally).map(([hits, trials]) => `${hits} of ${trials}`)
const total = emptyTally()

await runStudy({
  uncovered: {
    head: ['corpus', 'found', 'common', 'common, uncovered', 'groups about one thing', 'nothing hidden'],
    rows: hideEach,
    async *last() {
      yield ['all', ...tallied(total), '']
    }
  },
  forms: {
    head: ['corpus', 'split', 'rates', 'concepts', 'with forms', 'forms', 'before', 'after'],
    corpora: ['cooking', 'debian-packages', 'npm-packages'],
    rows: addForms
  }
})

async function* hideEach(corpus: QualityCorpus) {
  const rows = (await readRows(corpus, dataFolder))
    .toSorted((a, b) => hashShare(rowKey(a), 0) - hashShare(rowKey(b), 0))
    .slice(0, MOST_DOCUMENTS)
  const options = {...vocabularyDefaults, text: ['title', 'text'], negation: corpus.negation, skipBadAnchors: true}
  const {anchors} = learnLexicon(rows, await anchorSource(corpus, dataFolder), options)
  const shareOf = (tag: string, some: readonly Row[]) =>
    some.filter(({tags}) => tags?.includes(tag)).length / Math.max(1, some.length)
  const examined = (hidden?: string) => {
    const rest = anchors.filter(({concept}) => concept !== hidden)
    const lexicon = learnLexicon(rows, {kind: 'given', anchors: rest}, options)
    const {documents} = encodeCorpus(rows, lexicon)
    const silent = rows.filter((_, at) => documents[at].anchors.length === 0)
    const groups = uncoveredGroups(lexicon, documents).map(group => {
      const seed = lexicon.words.indexOf(group.words[0])
      const own = rows.filter((_, at) => documents[at].anchors.length === 0 && documents[at].words.includes(seed))
      const isTelling = [...new Set(own.flatMap(({tags}) => tags ?? []))].some(tag => {
        const share = shareOf(tag, own)
        return share >= 0.5 && share >= 3 * shareOf(tag, rows)
      })
      return {...group, rows: own, isTelling}
    })
    return {groups, silent}
  }
  const tally = emptyTally()
  const add = (kind: keyof Tally, isHit: boolean) => {
    for (const one of [tally, total]) {
      if (isHit) one[kind][0]++
      one[kind][1]++
    }
  }
  for (const {concept} of anchors) {
    const share = shareOf(concept, rows)
    if (share < TRIED) continue
    const {groups, silent} = examined(concept)
    const isUncovered = shareOf(concept, silent) * silent.length >= UNCOVERED * share * rows.length
    const isFound = groups.some(group => shareOf(concept, group.rows) >= 0.5)
    add('found', isFound)
    if (share >= COMMON) add('common', isFound)
    if (share >= COMMON && isUncovered) add('uncovered', isFound)
    for (const {isTelling} of groups) add('groups', isTelling)
  }
  const nothing = examined().groups.map(
    ({words, documents, ofDocuments, isTelling}) =>
      `${words.slice(0, 3).join(' ')} (${documents} of ${ofDocuments}, ${isTelling ? 'yes' : 'no'})`
  )
  yield [corpus.name, ...tallied(tally), nothing.join('; ') || 'none']
}

async function* addForms(corpus: QualityCorpus) {
  const rows = await readRows(corpus, dataFolder)
  for (const seed of [0, 1]) {
    const problem = await splitProblem(corpus, rows, {seed, folder: dataFolder})
    const {counts, training} = problem
    const keys = new Set(training.documents.map(({key}) => key))
    const learned = rows.filter(row => keys.has(rowKey(row)))
    const forms = findForms(counts, learned).map(found => found.forms.map(({feature}) => feature))
    const anchors = counts.lexicon.anchors.map((anchor, i) => ({...anchor, any: [...anchor.any, ...forms[i]]}))
    const wider = await withAnchors(problem, rows, anchors, corpus)
    for (const setting of ['given', 'free'] as const) {
      const figures = async (one: QualityProblem) => {
        const rated = ratedCounts(one, [setting]).get(setting) ?? one.counts
        const model = await fit(rated, {noise: 'given'}, {documents: one.training})
        const {lastTag, tagging} = evaluate(model, one.heldOut)
        return `${lastTag.accuracy.toFixed(3)} / ${tagging.averagePrecision.toFixed(3)}`
      }
      const sizes = [forms.length, forms.filter(({length}) => length > 0).length, forms.flat().length]
      yield [corpus.name, seed, setting, ...sizes, await figures(problem), await figures(wider)]
    }
  }
}
