/**
 * Draws the README's picture: the tree that `adfa demo emergency` learns, and the words of each condition.
 * Command: npx tsx research/figures/tree.ts
 */
import {writeFileSync} from 'node:fs'
import {instance} from '@viz-js/viz'
import {networkEdges, networkTable} from '../../src/base/network/index.ts'
import {mutualInformation, rng} from '../../src/base/numeric/index.ts'
import {fit} from '../../src/learn/fit.ts'
import {anchorsWithRates, topWords} from '../../src/learn/model/index.ts'
import {countCorpus} from '../../src/read/counts/index.ts'
import {buildCorpus} from '../../src/read/data/index.ts'
import {emergencyModel, generateDocuments} from '../../src/use/synthetic/index.ts'

const truth = emergencyModel()
const documents = generateDocuments(truth, 20_000, rng(0).stream('documents'))
const model = fit(countCorpus(buildCorpus(documents, anchorsWithRates(truth))), {wordShrinkage: '10/N'})

const nodes = model.concepts.map(({name, prevalence}, i) => {
  const words = topWords(model, i, 3).map(({word}) => word.replace(/^(dispensed|med-history):/, ''))
  const label = `<b>${name}</b><br/><font point-size="9" color="#555555">${(100 * prevalence).toFixed(0)}%: ${words.join(', ')}</font>`
  return `${i} [label=<${label}>]`
})
const edges = networkEdges(model.network).map(([parent, child]) => {
  const [absent, present] = model.network.cpt[child]
  const width = 1 + 40 * mutualInformation(networkTable(model.network, [parent, child]))
  const style = present >= absent ? 'color="#1a7f37"' : 'color="#b42318", style=dashed'
  return `${parent} -- ${child} [${style}, penwidth=${Math.min(4, width).toFixed(2)}]`
})
const dot = `graph {
  layout=dot; rankdir=LR; bgcolor=white; ranksep=0.25; nodesep=0.12
  node [shape=box, style="rounded,filled", fillcolor="#f6f8fa", color="#d0d7de", fontname="Helvetica,Arial,sans-serif", fontsize=11, margin="0.2,0.04"]
  ${[...nodes, ...edges].join('\n  ')}
}`
const viz = await instance()
writeFileSync(new URL('../../docs/figures/emergency-tree.svg', import.meta.url), viz.renderString(dot, {format: 'svg'}))
