/** Nobody knows the rates of an anchor: two hundred labelled documents tell them, with intervals. And a bad anchor is found. */
import {ok} from 'node:assert'
import {buildCorpus, countCorpus, diagnose, rng} from 'adfa'
import {usableNoise} from 'adfa/noise'
import {anchorsWithRates, emergencyModel, generateDocuments} from 'adfa/synthetic'

const truth = emergencyModel()
const visits = [...generateDocuments(truth, 10_000, rng(3))]
const anchors = anchorsWithRates(truth).map(anchor => ({...anchor, rates: undefined}))

// Of a fiftieth of the visits the conditions are read, as if someone had labelled them.
const counts = countCorpus(buildCorpus(visits, anchors), {labelShare: 0.02})
const {concepts, labelledCount} = usableNoise(counts, 'auto').noise.certificate
const held = concepts.filter(({concept, prevalence: {low, high}}) => {
  const {prevalence} = truth.concepts.find(({name}) => name === concept) ?? {prevalence: Number.NaN}
  return prevalence >= low && prevalence <= high
})
console.log(`${labelledCount} labels: ${held.length} of ${concepts.length} intervals of 90% hold the true prevalence`)
ok(held.length >= 0.75 * concepts.length)

// The anchor of pneumonia now fires for headaches as well, and nobody has labelled anything.
const [word] = anchors.find(({concept}) => concept === 'pneumonia')?.any ?? []
const spoilt = visits.map(visit =>
  visit.tags.includes('headache') ? {...visit, features: [...new Set([...visit.features, word])]} : visit
)
const [worst] = diagnose(countCorpus(buildCorpus(spoilt, anchors))).findings
console.log(`${worst.concept}: ${worst.message}; ${worst.remedy}`)
ok(worst.concept === 'pneumonia' && worst.severity === 'fault')
