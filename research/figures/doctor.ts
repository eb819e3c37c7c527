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

  for (const [labelShare, which] of ['without', 'with'].entries()) {
    const found = reported(await examine(documents, anchors, labelShare))
    count(`nothing, ${which} labels and rates: sound anchors reported`, names, name => found.has(name))
  }

  const dead = documents.map(row => without(row, name => name === feature(20) && random.next() >= DEAD_SHARE))
  const silent = reported(await examine(dead, anchors))
  count('dead anchor', [names[20]], name => silent.has(name))

  const pairs = Object.entries({0: 5, 3: 9, 7: 1, 12: 15}).map(([i, k]) => [Number(i), k])
  const foreign = documents.map(row => {
    const more = pairs.filter(([, k]) => row.tags.includes(names[k]) && random.next() < FOREIGN_SHARE)
    return withFeatures(
      row,
      more.map(([i]) => feature(i))
    )
  })
  const named = (await examine(foreign, anchors)).filter(({kind}) => kind === 'fires-for-another')
  const foreignNames = pairs.map(([i]) => names[i])
  count('anchor that fires for another concept too', foreignNames, name => named.some(({concept}) => concept === name))

  const shared = anchors.map((anchor, i) => (i === 2 ? {...anchor, any: [...anchor.any, feature(4)]} : anchor))
  const both = reported(await examine(documents, shared))
  count('word shared by two anchors', [names[2], names[4]], name => both.has(name))

  const partner = new Map([0, 5, 10, 15].map((i, at) => [i, [5, 0, 15, 10][at]]))
  const swapped = [...partner.keys()].map(i => names[i])
  const two = anchors.map((anchor, i) => ({...anchor, any: [feature(i), second(partner.get(i) ?? i)]}))
  const members = reported(await examine(documents.map(withSecond), two))
  count('second member swapped with that of another anchor', swapped, name => members.has(name))
  const others = names.filter(name => !swapped.includes(name))
  count('the other anchors in that test: reported', others, name => members.has(name))

  const whole = anchors.map((anchor, i) => ({...anchor, any: [feature(partner.get(i) ?? i)]}))
  for (const labelShare of [1, 0.1]) {
    const found = reported(await examine(documents, whole, labelShare))
    count(`whole anchors swapped, ${100 * labelShare}% labelled`, swapped, name => found.has(name))
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

function count(what: string, planted: readonly string[], isFound: (name: string) => boolean): void {
  const before = tally.get(what) ?? {planted: 0, found: 0}
  tally.set(what, {planted: before.planted + planted.length, found: before.found + planted.filter(isFound).length})
}
