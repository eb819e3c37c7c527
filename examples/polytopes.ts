/** Consistent moments: the four polytopes, each with its certificate and its distance from the true moments. */
import {buildCorpus, countCorpus, estimateNoise, rng} from 'adfa'
import {recoverMoments} from 'adfa/moments'
import {networkTable} from 'adfa/network'
import {anchorsWithRates, emergencyModel, generateDocuments} from 'adfa/synthetic'

const truth = emergencyModel()
// With few documents and no shrinkage, tables recovered one by one contradict each other.
const counts = countCorpus(buildCorpus(generateDocuments(truth, 300, rng(4)), anchorsWithRates(truth)))
const noise = estimateNoise(counts, 'given')

const polytopes = ['simplex', 'local', 'cycle', 'marginal'] as const
const control = {clock: () => performance.now() / 1000}
for (const polytope of polytopes) {
  const moments = await recoverMoments(counts, noise, {polytope, shrinkage: 0, gap: 1e-3, timeLimit: 20}, control)
  const {objective, lowerBound, gap, status, seconds = 0} = moments.certificate
  let squares = 0
  for (let i = 0; i < moments.conceptCount; i++)
    for (let k = 0; k < i; k++) squares += (moments.pair(i, k)[3] - networkTable(truth.network, [i, k])[3]) ** 2
  const pairs = (moments.conceptCount * (moments.conceptCount - 1)) / 2
  console.log(
    `${polytope.padEnd(9)} ${status}, objective ${objective.toFixed(4)} >= ${lowerBound.toFixed(4)}, gap ${gap.toExponential(1)}, ` +
      `error of P(both) ${Math.sqrt(squares / pairs).toFixed(5)}, ${(1000 * seconds).toFixed(0)} ms`
  )
}
