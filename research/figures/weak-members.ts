/**
 * Weak members of anchors by labels (docs/advice.md), on one split of corpora with tags: the name of a tag in the title or in
 * the text is its anchor, or a list of words. Three tables:
 *
 * 1. How often a warning of `diagnose` about a member is right, with the tags of 100, 200 and 500 random documents as labels
 *    (20 draws): by all tags, the precision where the member alone fires is below 45% and below that of the others. And how
 *    often a field is called weak.
 * 2. What dropping members is worth: last tag / average precision with all members, and without those found weak by all training
 *    documents; and with the title alone, for concepts whose title can be an anchor. Rates given by the tags, and without labels.
 * 3. The mean precision that words give the members in each field, without labels, to compare with that of the tags.
 *
 * Command: npx tsx research/figures/weak-members.ts [corpora]
 */
import {rng} from '../../src/base/numeric/index.ts'
import type {LearnedModel} from '../../src/learn/learn.ts'
import type {Anchors} from '../../src/read/data/index.ts'
import {type Diagnosis, diagnose} from '../../src/use/advice/index.ts'
import {chooseCorpora, dataFolder, type QualityCorpus} from '../quality/corpora.ts'
import {measureRobust} from '../quality/measure.ts'
import {inTitleOrText, type QualityProblem, readRows, splitProblem, withAnchors} from '../quality/problem.ts'
import {ratedCounts} from '../quality/rates.ts'

const NAMES = ['cooking', 'stackoverflow-bodies', 'robotics', 'debian-packages', 'npm-packages', 'chest-xray']
const SIZES = [100, 200, 500]
const DRAWS = 20
/** Members that fire alone in fewer documents have no precision to compare with. */
const LEAST_DOCUMENTS = 10
const MIN_PRECISION = 0.45

for (const corpus of chooseCorpora(process.argv.length > 2 ? process.argv.slice(2) : NAMES)) {
  const wide = inTitleOrText(corpus)
  const rows = await readRows(wide, dataFolder)
  const problem = await splitProblem(wide, rows, {seed: 0, folder: dataFolder})
  const whole = await diagnose(problem.counts, {labelled: problem.training.documents})
  print(
    corpus,
    'fields',
    ...whole.fields.map(({field, alone: {precision: p}}) => `${field} ${p.value} ${p.low} ${p.high}`)
  )
  for (const size of SIZES) print(corpus, `labels ${size}`, ...(await judged(problem, whole, size)))
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
      print(corpus, variant, setting, given.length, row.lastTag, row.averagePrecision)
      if (given === anchors && setting === 'free') print(corpus, 'words', ...byWords(model))
    }
  }
}

function print({name}: QualityCorpus, ...figures: readonly unknown[]): void {
  console.log(name, ...figures)
}

function weakMembers({findings}: Diagnosis): ReadonlySet<string> {
  return new Set(findings.flatMap(({kind, evidence}) => (kind === 'weak-member' ? [`${evidence.feature}`] : [])))
}

/** Warnings, those that are right by all tags, and draws in which the text is called weak. */
async function judged({counts, training}: QualityProblem, whole: Diagnosis, size: number): Promise<readonly string[]> {
  const truth = new Map(whole.anchors.flatMap(({members}) => members.map(({name, labels}) => [name, labels])))
  const found = {warnings: 0, right: 0, weakText: 0}
  for (let seed = 0; seed < DRAWS; seed++) {
    const random = rng(seed)
    const labelled = training.documents
      .map(document => ({document, place: random.next()}))
      .sort((a, b) => a.place - b.place)
      .slice(0, size)
      .map(({document}) => document)
    const diagnosis = await diagnose(counts, {labelled})
    for (const name of weakMembers(diagnosis)) {
      const {alone, others} = truth.get(name) ?? {}
      if (alone === undefined || others === undefined || alone.documents < LEAST_DOCUMENTS) continue
      found.warnings++
      if (alone.precision.value < Math.min(MIN_PRECISION, others.precision.value)) found.right++
    }
    if (diagnosis.fields.some(({field, isWeak}) => field === 'text' && isWeak)) found.weakText++
  }
  return Object.entries(found).map(([name, count]) => `${name} ${count}`)
}

/** The mean precision that words give the members in the title and in the text, of anchors with both. */
function byWords({wordModel, lexicon}: LearnedModel): readonly string[] {
  if (wordModel.kind !== 'weights') return []
  const {memberPrecisions = []} = wordModel.certificate
  return ['title', 'text'].map(field => {
    const found = lexicon.anchors.flatMap(({any}, i) =>
      any.length < 2 ? [] : any.flatMap((name, k) => (name.startsWith(`${field}:`) ? [memberPrecisions[i][k]] : []))
    )
    return `${field} ${found.reduce((sum, precision) => sum + precision, 0) / found.length}`
  })
}
