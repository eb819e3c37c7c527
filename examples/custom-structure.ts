/** A custom structure search: moments in, parents out. This one makes the most frequent concept the parent of all others. */
import {ok} from 'node:assert'
import {buildCorpus, countCorpus, fit, rng} from 'adfa'
import type {CustomStructure} from 'adfa/structure'
import {anchorsWithRates, emergencyModel, generateDocuments} from 'adfa/synthetic'

export const star: CustomStructure = {
  name: 'star',
  find(moments) {
    const concepts = Array.from({length: moments.conceptCount}, (_, i) => i)
    const hub = concepts.reduce((best, i) => (moments.single(i) > moments.single(best) ? i : best), 0)
    return concepts.map(i => (i === hub ? [] : [hub]))
  }
}

const truth = emergencyModel()
const counts = countCorpus(buildCorpus(generateDocuments(truth, 2000, rng(1)), anchorsWithRates(truth)))
const [own, tree] = await Promise.all(
  [star, 'tree' as const].map(async network => {
    const {certificate} = await fit(counts, {network})
    return 'bic' in certificate.structure ? certificate.structure.bic : Number.NaN
  })
)
console.log(`star: BIC ${own.toFixed(0)}; tree: BIC ${tree.toFixed(0)}`)
ok(tree > own)
