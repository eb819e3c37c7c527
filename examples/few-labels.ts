/** Two hundred labelled documents give the unknown rates of the anchors, with intervals; and the doctor finds a bad anchor. */
import {ok} from 'node:assert'
import {buildCorpus, countCorpus, diagnose, rng} from 'adfa'
import {usableNoise} from 'adfa/noise'
import {describeFinding} from 'adfa/report'
import {anchorsWithRates, emergencyModel, generateDocuments} from 'adfa/synthetic'

const truth = emergencyModel()
const visits = [...generateDocuments(truth, 10_000, rng(3))]
const anchors = anchorsWithRates(truth).map(anchor => ({...anchor, rates: undefined}))

// The conditions of a fiftieth of the visits are used, as if someone had labelled them.
const counts = countCorpus(buildCorpus(visits, anchors), {labelShare: 0.02})
const {concepts, labelledCount} = usableNoise(counts, 'auto').noise.certificate
const held = concepts.filter(({concept, prevalence: {low, high}}) => {
  const {prevalence} = truth.concepts.find(({name}) => name === concept) ?? {prevalence: Number.NaN}
  return prevalence >= low && prevalence <= high
})
console.log(`${labelledCount} labels: ${held.length} of ${concepts.length} 90% intervals cover the true prevalence`)
ok(held.length >= 0.75 * concepts.length)

// Now the anchor of pneumonia also fires for headaches, and there are no labels.
const [word] = anchors.find(({concept}) => concept === 'pneumonia')?.any ?? []
const spoilt = visits.map(visit =>
  visit.tags.includes('headache') ? {...visit, features: [...new Set([...visit.features, word])]} : visit
)
const {findings} = await diagnose(countCorpus(buildCorpus(spoilt, anchors)))
const [worst] = findings
const {message, remedy} = describeFinding(worst)
console.log(`${worst.concept}: ${message}; ${remedy}`)
ok(worst.concept === 'pneumonia' && worst.severity === 'warning')
