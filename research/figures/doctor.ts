/**
 * Does the doctor find planted faults without reporting sound anchors? Measured on generated documents of random models.
 * Writes doctor.md. Command: npx tsx research/figures/doctor.ts
 */
import {writeFileSync} from 'node:fs'
import {rng} from '../../src/base/numeric/index.ts'
import type {Model} from '../../src/learn/model/index.ts'
import {anchorsWithRates} from '../../src/learn/model/index.ts'
import {countCorpus} from '../../src/read/counts/index.ts'
import {type Anchor, buildCorpus} from '../../src/read/data/index.ts'
import {diagnose, type Finding, knownRates} from '../../src/use/advice/index.ts'
import {type GeneratedDocument, generateDocuments, randomModel} from '../../src/use/synthetic/index.ts'

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

  const pairs = [
    [0, 5],
    [3, 9],
    [7, 1],
    [12, 15]
  ]
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
  const members = reported(
    await examine(
      documents.map(row => withSecond(row, model, names)),
      two
    )
  )
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

  function second(i: number): string {
    return `second-${i}`
  }

  /** A second member for every anchor, with the rates of the first, independent of it given the concept. */
  function withSecond(row: GeneratedDocument, {concepts}: Model, names: readonly string[]): GeneratedDocument {
    const more = names.flatMap((name, i) => {
      const {truePositive, falsePositive} = concepts[i]
      return random.next() < (row.tags.includes(name) ? truePositive : falsePositive) ? [second(i)] : []
    })
    return withFeatures(row, more)
  }
}

const rows = [...tally].map(([what, {planted, found}]) => `| ${what} | ${found} of ${planted} |`)
writeFileSync(
  new URL('doctor.md', import.meta.url),
  `# What the doctor finds

Made by \`npx tsx research/figures/doctor.ts\`: ${SEEDS} random models of ${size.concepts} concepts and ${size.words} words, ${DOCUMENTS} documents each.
An anchor that fires for another concept does so in ${100 * FOREIGN_SHARE}% of its documents; a dead one keeps ${100 * DEAD_SHARE}% of its hits. "Found":
reported as a fault or a warning.

| planted | found |
| --- | --- |
${rows.join('\n')}
`
)

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
