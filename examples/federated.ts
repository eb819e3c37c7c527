/**
 * Three hospitals with different patients agree on a protocol and count separately. No record leaves a hospital; the sum of
 * their counts gives the model of all documents together. With small cells withheld it is slightly worse.
 */
import {deepStrictEqual, ok, strictEqual} from 'node:assert'
import {
  buildCorpus,
  type Counts,
  countCorpus,
  countsToBytes,
  evaluate,
  fit,
  mergeCounts,
  readCorpus,
  rng,
  saveModel
} from 'adfa'
import {
  parseProtocol,
  poolReleases,
  protocolMark,
  protocolToText,
  type ReleaseRules,
  releaseCounts,
  releaseToCounts,
  withheldNumbers
} from 'adfa/pooling'
import {anchorsWithRates, emergencyModel, generateDocuments} from 'adfa/synthetic'

const truth = emergencyModel()
const random = rng(11)

// The same conditions and words everywhere; injuries are twice as common in the north, infections half as common in the south.
const sites = {
  north: documentsOf('north', 5000, {fall: 2, 'motor vehicle collision': 2, 'back pain': 2}),
  south: documentsOf('south', 4000, {pneumonia: 0.5, cellulitis: 0.5, 'urinary tract infection': 0.5}),
  west: documentsOf('west', 2000, {alcohol: 3, 'suicidal ideation': 2})
}
const heldOut = [...documentsOf('new', 3000, {fall: 1.5, alcohol: 1.5})]

// One hospital proposes anchors and words; the others read the file, agree, and count by it.
const proposal = protocolToText({
  name: 'three hospitals',
  lexicon: buildCorpus(sites.north, anchorsWithRates(truth)).lexicon,
  labelShare: 0,
  seed: 0,
  release: {maxOrder: 2, minCell: 10}
})
const protocol = parseProtocol(proposal, 'protocol.json')
const counted = Object.values(sites).map(countByProtocol)
const everything = countByProtocol(Object.values(sites).flat())

// Whole counts: the sum is, byte for byte, what one hospital with all documents would have counted.
deepStrictEqual(countsToBytes(mergeCounts(counted)), countsToBytes(everything))
strictEqual(saveModel(await fit(mergeCounts(counted))), saveModel(await fit(everything)))

// Tables of at most two anchors and words, nothing withheld: the same model again, except for its list of sites.
const exact = {maxOrder: 2, minCell: 0}
strictEqual(await learned(pooled(exact)), await learned(releaseToCounts(releaseCounts(everything, exact))))
strictEqual(await learned(pooled(exact)), await learned(everything))
console.log('pooled tables give the model of all documents together, to the byte')

// With small cells withheld, as agreed.
const north = releaseCounts(counted[0], {...protocol.release, site: 'north'})
console.log(`north withholds ${withheldNumbers(north)} of ${north.low.length} numbers\n`)
const test = readCorpus(heldOut, protocol.lexicon)
// These words were drawn by a noisy-or, so predictions use it.
const accuracy = async (counts: Counts) => evaluate(await fit(counts, {words: 'noisy-or'}), test).lastTag.accuracy
const rows = {
  'all documents': await accuracy(everything),
  'withheld below 10': await accuracy(pooled({maxOrder: 2, minCell: 10})),
  'west alone': await accuracy(counted[2])
}
for (const [name, share] of Object.entries(rows)) console.log(`last tag, ${name}: ${share.toFixed(3)}`)
ok(rows['withheld below 10'] > rows['all documents'] - 0.01)

function documentsOf(site: string, count: number, times: Readonly<Record<string, number>>) {
  const cpt = truth.network.cpt.map((chances, i) => chances.map(p => scaleOdds(p, times[truth.concepts[i].name] ?? 1)))
  const model = {...truth, network: {...truth.network, cpt}}
  return [...generateDocuments(model, count, random.stream(site))].map(row => ({...row, id: `${site} ${row.id}`}))
}

function scaleOdds(p: number, times: number): number {
  return (p * times) / (p * times + 1 - p)
}

function countByProtocol(documents: readonly object[]): Counts {
  return {...countCorpus(readCorpus(documents, protocol.lexicon)), protocol: protocolMark(protocol)}
}

function pooled(rules: ReleaseRules): Counts {
  const names = Object.keys(sites)
  return releaseToCounts(poolReleases(counted.map((counts, at) => releaseCounts(counts, {...rules, site: names[at]}))))
}

/** The model without the record of its tables. */
async function learned(counts: Counts): Promise<string> {
  const {certificate, ...model} = await fit(counts, {words: 'noisy-or'})
  return saveModel({...model, certificate: {...certificate, tables: undefined}})
}
