/**
 * A custom polytope is a linear oracle: given a gradient, it returns the vertex with the smallest inner product. This one
 * enumerates all states of the concepts, so it is the marginal polytope, slow and obvious; both find the same optimum.
 */
import {ok} from 'node:assert'
import {buildCorpus, countCorpus, estimateNoise, rng} from 'adfa'
import {type CustomPolytope, recoverMoments} from 'adfa/moments'
import {anchorsWithRates, generateDocuments, randomModel} from 'adfa/synthetic'

export const enumerated: CustomPolytope = {
  name: 'enumerated',
  open(layout) {
    const writeVertex = (state: number, vertex: Float64Array) => {
      vertex.fill(0)
      layout.tables.forEach(({concepts, start}) => {
        vertex[start + concepts.reduce((cell, i) => 2 * cell + ((state >> i) & 1), 0)] = 1
      })
    }
    return {
      minimize(gradient, vertex) {
        let [best, value] = [0, Number.POSITIVE_INFINITY]
        for (let state = 0; state < 2 ** layout.conceptCount; state++) {
          writeVertex(state, vertex)
          const product = vertex.reduce((sum, cell, at) => sum + cell * gradient[at], 0)
          if (product < value) [best, value] = [state, product]
        }
        writeVertex(best, vertex)
        return {value, bound: value, exact: true}
      },
      dispose() {}
    }
  }
}

const truth = randomModel({concepts: 6, words: 20}, rng(1))
const counts = countCorpus(buildCorpus(generateDocuments(truth, 400, rng(2)), anchorsWithRates(truth)))
const rates = estimateNoise(counts, 'given')
const {certificate: own} = await recoverMoments(counts, rates, {polytope: enumerated, gap: 1e-3})
const {certificate: built} = await recoverMoments(counts, rates, {polytope: 'marginal', gap: 1e-3})
console.log(`enumerated: ${own.status}, objective ${own.objective.toFixed(5)}; marginal: ${built.objective.toFixed(5)}`)
ok(Math.abs(own.objective - built.objective) < 2e-3) // each is within its gap of the optimum
