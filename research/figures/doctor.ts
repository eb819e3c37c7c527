/**
 * Does the doctor find planted faults without reporting sound anchors? Measured on generated documents of random models.
 * Fills the table of doctor.md. Command: npx tsx research/figures/doctor.ts
 */
import {rng} from '../../src/base/numeric/index.ts'
import {anchorsWithRates} from '../../src/learn/model/index.ts'
import {countCorpus} from '../../src/read/counts/index.ts'
import {type Anchor, buildCorpus} from '../../src/read/data/index.ts'
import {diagnose, type Finding, knownRates} from '../../src/use/advice/index.ts'
import {type GeneratedDocument, generateDocuments, randomModel} from '../../src/use/synthetic/index.ts'
import {fillPage, markdownTable} from '../page.ts'

const SEEDS = 10
const size = {concepts: 24, words: 400}
const DOCUMENTS = 5000
/** An anchor also fires in this share of the documents of another concept. */
const FOREIGN_SHARE = 0.4
/** A dead anchor keeps this share of its hits. */
const DEAD_SHARE = 0.02

const tally = new Map<string, {planted: number; found: number}>()

for (let seed = 1; seed <= SEEDS; seed++) {
  const model = randomModel(size, rng(seed).stream('model'))
  const documents = [...generateDocuments(model, DOCUMENTS, rng(seed).stream('documents'))]
  const names = model.concepts.map(({name}) => name)
  const random = rng(seed).stream('plant')
  const anchors = anchorsWithRates(model).map(anchor => ({...anchor, rates: undefined}))
  const feature = (i: number) => anchors[i].any[0]
  const second = (i: number) => `second-${i}`
  const reported = (findings: readonly Finding[]) =>
    new Set(findings.filter(({severity}) => severity !== 'note').map(({concept}) => concept))

  for (const labelShare of [0, 1]) {
    const found = reported(await examine(documents, anchors, labelShare))
    count(
      `nothing, ${labelShare === 0 ? 'without' : 'with'} labels and rates: sound anchors reported`,
      names.length,
      found.size
    )
  }

  const dead = documents.map(row => without(row, name => name === feature(20) && random.next() >= DEAD_SHARE))
  count('dead anchor', 1, reported(await examine(dead, anchors)).has(names[20]) ? 1 : 0)

  const pairs = Object.entries({0: 5, 3: 9, 7: 1, 12: 15}).map(([i, k]) => [Number(i), k])
  const foreign = documents.map(row => {
    const more = pairs.filter(([, k]) => row.tags.includes(names[k]) && random.next() < FOREIGN_SHARE)
    return withFeatures(
      row,
      more.map(([i]) => feature(i))
    )
  })
  const named = (await examine(foreign, anchors)).filter(({kind}) => kind === 'fires-for-another')
  count(
    'anchor that fires for another concept too',
    pairs.length,
    pairs.filter(([i]) => named.some(({concept}) => concept === names[i])).length
  )

  const shared = anchors.map((anchor, i) => (i === 2 ? {...anchor, any: [...anchor.any, feature(4)]} : anchor))
  const both = reported(await examine(documents, shared))
  count('word shared by two anchors', 2, [2, 4].filter(i => both.has(names[i])).length)

  const swapped = [0, 5, 10, 15]
  const partner = (i: number) => [5, 0, 15, 10][swapped.indexOf(i)]
  const two = anchors.map((anchor, i) => ({...anchor, any: [feature(i), second(swapped.includes(i) ? partner(i) : i)]}))
  const members = reported(await examine(documents.map(withSecond), two))
  count(
    'second member swapped with that of another anchor',
    swapped.length,
    swapped.filter(i => members.has(names[i])).length
  )
  count(
    'the other anchors in that test: reported',
    names.length - swapped.length,
    [...members].filter(name => !swapped.includes(names.indexOf(name))).length
  )

  const whole = anchors.map((anchor, i) => (swapped.includes(i) ? {...anchor, any: [feature(partner(i))]} : anchor))
  for (const labelShare of [1, 0.1]) {
    const found = reported(await examine(documents, whole, labelShare))
    count(
      `whole anchors swapped, ${100 * labelShare}% labelled`,
      swapped.length,
      swapped.filter(i => found.has(names[i])).length
    )
  }

  /** A second member for every anchor, with the rates of the first, independent of it given the concept. */
  function withSecond(row: GeneratedDocument): GeneratedDocument {
    const more = model.concepts.flatMap(({name, truePositive, falsePositive}, i) =>
      random.next() < (row.tags.includes(name) ? truePositive : falsePositive) ? [second(i)] : []
    )
    return withFeatures(row, more)
  }
}

fillPage('research/figures/doctor.md', {
  'table: found': markdownTable(
    ['planted', 'found'],
    [...tally].map(([what, {planted, found}]) => [what, `${found} of ${planted}`])
  )
})

async function examine(
  documents: readonly GeneratedDocument[],
  anchors: readonly Anchor[],
  labelShare = 0
): Promise<readonly Finding[]> {
  const corpus = buildCorpus(documents, anchors, {skipBadAnchors: true})
  const counts = countCorpus(corpus, {labelShare})
  return (await diagnose(counts, {rates: labelShare === 1 ? knownRates(counts) : []})).findings
}

function without(row: GeneratedDocument, isGone: (feature: string) => boolean): GeneratedDocument {
  return {...row, features: row.features.filter(feature => !isGone(feature))}
}

function withFeatures(row: GeneratedDocument, more: readonly string[]): GeneratedDocument {
  return {...row, features: [...new Set([...row.features, ...more])]}
}

function count(what: string, planted: number, found: number): void {
  const before = tally.get(what) ?? {planted: 0, found: 0}
  tally.set(what, {planted: before.planted + planted, found: before.found + found})
}
