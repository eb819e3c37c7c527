/**
 * Draws the paper's two figures: the tree and the best network of in-degree 2, for the generated emergency department and
 * for the commonest keywords of npm packages, as `adfa fit` learns them and `adfa export --to svg` draws them.
 * Command: npx tsx docs/figures/networks.ts; or, for another corpus and into another folder,
 * npx tsx docs/figures/networks.ts FILE FIELDS FOLDER, the anchor of each of 50 tags being its own name in FIELDS.
 */
import {writeFileSync} from 'node:fs'
import {basename, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {instance} from '@viz-js/viz'
import {
  anchorsWithRates,
  buildCorpus,
  type Counts,
  countCorpus,
  emergencyModel,
  fit,
  generateDocuments,
  loadLinearSolver,
  type NoiseMethod,
  networkEdges,
  networkToDot,
  rng
} from 'adfa'
import {countDocuments, openDocuments} from 'adfa/node'

/** Seconds for the moments, and for the exact search. */
const LIMIT = 60

const viz = await instance()
const linearSolver = await loadLinearSolver()
const [path, fields = 'title', folder = '.'] = process.argv.slice(2)
if (path === undefined) {
  const here = fileURLToPath(new URL('.', import.meta.url))
  const truth = emergencyModel()
  const documents = generateDocuments(truth, 20_000, rng(0).stream('documents'))
  draw(countCorpus(buildCorpus(documents, anchorsWithRates(truth))), 'given', join(here, 'emergency'))
  const corpus = fileURLToPath(new URL('../../corpora/npm-packages.jsonl.gz', import.meta.url))
  draw(await countTags(corpus, ['title', 'text']), 'labels', join(here, 'npm'))
} else {
  const name = basename(path).replace(/\.jsonl(\.gz)?$/, '')
  draw(await countTags(path, fields.split(',')), 'labels', join(folder, name))
}

async function countTags(file: string, anchorFields: readonly string[]): Promise<Counts> {
  const source = openDocuments([file], {fields: anchorFields})
  const options = {fields: anchorFields, labelShare: 1, vocabulary: 1, skipBadAnchors: true}
  return countDocuments(source, {kind: 'tags', fields: anchorFields, latents: 50}, options)
}

function draw(counts: Counts, noise: NoiseMethod, name: string): void {
  const clock = () => performance.now() / 1000
  for (const [structure, file] of [
    ['tree', 'network-tree'],
    ['indegree:2', 'network-indegree-2']
  ] as const) {
    const options = {structure, noise, skipBadAnchors: true, timeLimit: LIMIT}
    const {network, latents, certificate} = fit(counts, options, {clock, linearSolver})
    const names = latents.map(latent => latent.name)
    writeFileSync(`${name}-${file}.svg`, viz.renderString(networkToDot(network, names), {format: 'svg'}))
    console.log(basename(name), structure, names.length, networkEdges(network).length, certificate.structure.status)
  }
}
