/**
 * Draws the README's picture: the tree that `adfa demo emergency` learns, and the words of each condition.
 * Command: npx tsx research/figures/tree.ts
 */
import {writeFileSync} from 'node:fs'
import {instance} from '@viz-js/viz'
import {drawNetwork} from '../../src/app/drawing/index.ts'
import {directedNetwork} from '../../src/base/network/index.ts'
import {rng} from '../../src/base/numeric/index.ts'
import {percent} from '../../src/base/text/index.ts'
import {fit} from '../../src/learn/fit.ts'
import {anchorsWithRates, topWords} from '../../src/learn/model/index.ts'
import {countCorpus} from '../../src/read/counts/index.ts'
import {buildCorpus} from '../../src/read/data/index.ts'
import {emergencyModel, generateDocuments} from '../../src/use/synthetic/index.ts'

const truth = emergencyModel()
const documents = generateDocuments(truth, 20_000, rng(0).stream('documents'))
const model = await fit(countCorpus(buildCorpus(documents, anchorsWithRates(truth))), {
  network: 'indegree:1',
  wordShrinkage: '10/N'
})

const notes = model.concepts.map(({prevalence}, i) => {
  const words = topWords(model, i, 3).map(({word}) => word.replace(/^(dispensed|med-history):/, ''))
  return `${percent(prevalence)}: ${words.join(', ')}`
})
const names = model.concepts.map(({name}) => name)
const title = 'The tree that adfa learns from 20,000 synthetic emergency visits'
const svg = drawNetwork(directedNetwork(model.network), names, await instance(), {title, notes})
writeFileSync(new URL('../../docs/figures/emergency-tree.svg', import.meta.url), svg)
