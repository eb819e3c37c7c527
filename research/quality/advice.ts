/**
 * Three questions about the advice of adfa (docs/advice.md).
 *
 * - uncovered: does the doctor point at documents that no anchor covers? The anchor of one concept at a time is hidden. A hit: in one
 *   of the groups shown, at least half of the documents have its tag. A group is about one thing if at least half of its documents
 *   share a tag that is three times as common there as in all documents. At most 8,000 documents; tags are for judging alone.
 * - weak-members: weak members by labels, on the first split; the name of a tag in the title or in the text is its anchor, or a list
 *   of words. "labels": how often a warning of `diagnose` about a member is right, with the tags of 100, 200 and 500 random documents
 *   as labels (20 draws): by all tags, the precision where the member alone fires is below 45% and below that of the others; and how
 *   often a field is called weak. Then last tag and average precision with all members, and without those found weak by all training
 *   documents; and with the title alone, for concepts whose title can be an anchor. "words": the mean precision that words give the
 *   members in title and text, without labels.
 * - forms: what other forms of an anchor's words are worth. The anchor of a tag is its own name, then also the forms that `findForms`
 *   finds in the training documents without their tags.
 *
 * Command: npx tsx research/quality/advice.ts uncovered|weak-members|forms [CORPUS...]
 */
import {hashShare, rng} from '../../src/base/numeric/index.ts'
import {fit} from '../../src/learn/fit.ts'
import type {LearnedModel} from '../../src/learn/learn.ts'
import {
  type Anchors,
  encodeCorpus,
  learnLexicon,
  type Row,
  rowKey,
  vocabularyDefaults
} from '../../src/read/data/index.ts'
import {type Diagnosis, diagnose, findForms, uncoveredGroups} from '../../src/use/advice/index.ts'
import {evaluate} from '../../src/use/evaluation/index.ts'
import {mean} from '../spread.ts'
import {dataFolder, type QualityCorpus} from './corpora.ts'
import {measureRobust} from './measure.ts'
import {anchorSource, inTitleOrText, type QualityProblem, readRows, splitProblem, withAnchors} from './problem.ts'
import {ratedCounts} from './rates.ts'
import {runStudy} from './study.ts'

const MOST_DOCUMENTS = 8000
/** A concept is tried if this share of the documents has its tag, and called common at the second share. */
const TRIED = 0.01
const COMMON = 0.03
/** A concept is called uncovered if no other anchor fires in this share of the documents with its tag. */
const UNCOVERED = 0.7
const LABELS = [100, 200, 500]
const DRAWS = 20
/** Members that fire alone in fewer documents have no precision to compare with. */
const LEAST_DOCUMENTS = 10
const MIN_PRECISION = 0.45

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
  'weak-members': {
    head: ['corpus', 'what', 'figures'],
    corpora: ['cooking', 'stackoverflow-bodies', 'robotics', 'debian-packages', 'npm-packages', 'chest-xray'],
    rows: dropWeakMembers
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

async function* dropWeakMembers(corpus: QualityCorpus) {
  const {name} = corpus
  const wide = inTitleOrText(corpus)
  const rows = await readRows(wide, dataFolder)
  const problem = await splitProblem(wide, rows, {seed: 0, folder: dataFolder})
  const whole = await diagnose(problem.counts, {encoded: problem.training.documents})
  for (const {field, alone} of whole.fields) {
    const {value, low, high} = alone.precision
    yield [name, `precision in ${field}`, `${value} (${low} to ${high})`]
  }
  for (const labels of LABELS) yield [name, `${labels} labels`, await judged(problem, whole, labels)]
  const {anchors} = problem.counts.lexicon
  const weak = weakMembers(whole)
  const without = (isGone: (name: string) => boolean) =>
    anchors
      .map(anchor => ({...anchor, any: anchor.any.filter(name => !isGone(name))}))
      .filter(({any}) => any.length > 0)
  const variants: [string, Anchors][] = [
    ['all members', anchors],
    [`without ${weak.size} weak`, without(name => weak.has(name))]
  ]
  if (corpus.anchorFields.length > 0) {
    const titles = await splitProblem({...corpus, anchorFields: ['title']}, rows, {seed: 0, folder: dataFolder})
    const names = new Set(titles.counts.lexicon.anchors.map(({concept}) => concept))
    const same = (list: Anchors) => list.filter(({concept}) => names.has(concept))
    variants.push(['same concepts, title or text', same(anchors)])
    variants.push(['same concepts, title', same(without(name => name.startsWith('text:')))])
  }
  for (const [variant, given] of variants) {
    const again = await withAnchors(problem, rows, given, corpus)
    for (const [setting, counts] of ratedCounts(again, ['given', 'free'])) {
      const {model, row} = await measureRobust(again, counts)
      const what = `${variant}, ${given.length} concepts, rates ${setting}`
      yield [name, what, `${row.lastTag} / ${row.averagePrecision}`]
      if (given === anchors && setting === 'free') yield [name, 'words', byWords(model)]
    }
  }
}

function weakMembers({findings}: Diagnosis): ReadonlySet<string> {
  return new Set(findings.flatMap(({kind, evidence}) => (kind === 'weak-member' ? [`${evidence.feature}`] : [])))
}

/** Warnings, those that are right by all tags, and draws in which the text is called weak. */
async function judged({counts, training}: QualityProblem, whole: Diagnosis, size: number): Promise<string> {
  const truth = new Map(whole.anchors.flatMap(({members}) => members.map(({name, labels}) => [name, labels])))
  let [warnings, right, weakText] = [0, 0, 0]
  for (let seed = 0; seed < DRAWS; seed++) {
    const random = rng(seed)
    const placed = training.documents.map(document => ({document, place: random.next()}))
    const labelled = placed.sort((a, b) => a.place - b.place).map(({document}) => document)
    const diagnosis = await diagnose(counts, {encoded: labelled.slice(0, size)})
    for (const name of weakMembers(diagnosis)) {
      const {alone, others} = truth.get(name) ?? {}
      if (alone === undefined || others === undefined || alone.documents < LEAST_DOCUMENTS) continue
      warnings++
      if (alone.precision.value < Math.min(MIN_PRECISION, others.precision.value)) right++
    }
    if (diagnosis.fields.some(({field, isWeak}) => field === 'text' && isWeak)) weakText++
  }
  return `${warnings} warnings, ${right} right, text weak in ${weakText}`
}

/** The mean precision that words give the members in the title and in the text, of anchors with both. */
function byWords({wordModel, lexicon}: LearnedModel): string {
  const {memberPrecisions = []} = wordModel.kind === 'weights' ? wordModel.certificate : {}
  const fields = ['title', 'text'].map(field => {
    const found = lexicon.anchors.flatMap(({any}, i) =>
      any.length < 2 ? [] : any.flatMap((name, k) => (name.startsWith(`${field}:`) ? [memberPrecisions[i][k]] : []))
    )
    return `${field} ${mean(found)}`
  })
  return fields.join(', ')
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
