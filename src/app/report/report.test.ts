import {beforeAll, describe, expect, test} from 'vitest'
import {randomPairs} from '../../base/network/test-pairs.ts'
import {rng} from '../../base/numeric/index.ts'
import {composeModel, type Model} from '../../learn/model/index.ts'
import {smallErrors, smallParts, smallWeights} from '../../learn/model/test-small-model.ts'
import {drawnEdges} from '../../use/facts/index.ts'
import {drawnModel, emergencyReport, hostileModel, reportOf, tangledNetwork, votedCertificate} from './test-report.ts'

const small = composeModel(smallParts)
const text = (page: string) =>
  page
    .replace(/<(style|script)>[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
const sectionIds = (page: string) => [...page.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id)
const card = (page: string, number: number) =>
  page.slice(page.indexOf(`id="concept-${number}"`), page.indexOf('</details>', page.indexOf(`id="concept-${number}"`)))

describe('renderReport of a fitted model', () => {
  let given: Awaited<ReturnType<typeof emergencyReport>>
  let page: string
  let model: Model
  beforeAll(async () => {
    given = await emergencyReport()
    model = given.model
    page = await reportOf(given)
  }, 60_000)

  test('renderReport(...) has all sections when there is something for each', () => {
    expect(sectionIds(page).join(' ')).toBe('summary network concepts rates evaluation doctor certificates settings')
  })

  test('renderReport(...) says which checks counts do not allow, and nothing of it where documents were read', async () => {
    const words = 'Checks that need the documents are left out: negated mentions'
    expect(page).toContain(words)
    const {diagnosis} = given
    if (diagnosis === undefined) throw new Error('the report of the tests has a diagnosis')
    expect(await reportOf({...given, diagnosis: {...diagnosis, readsDocuments: true}})).not.toContain(words)
  })

  test('renderReport(...) says in plain words what the rates of each anchor are, with intervals', () => {
    const plain = text(card(page, 1))
    expect(plain).toMatch(
      /Present in [\d.]+% \([\d.]+% to [\d.]+%\) of the documents\. Its anchor fires in [\d.]+% \([\d.]+% to [\d.]+%\) of the documents that have it, and in [\d.<]+% \([\d.<]+% to [\d.<]+%\) of the others\. Where the anchor fires, the concept is present in [\d.>]+%/
    )
    expect(plain).toContain('Rates from: labelled documents.')
  })

  test('renderReport(...) draws the bars of words without style attributes, the longest of a card over its whole width', () => {
    expect(/<[^>]* style=/.test(page)).toBe(false)
    const widths = [...card(page, 1).matchAll(/<rect class="part" width="(\d+)"/g)].map(([, width]) => Number(width))
    expect(widths.length).toBeGreaterThan(3)
    expect(Math.max(...widths)).toBe(1000)
    expect(Math.min(...widths)).toBeLessThan(1000)
  })

  test('renderReport(...) links every card to its neighbours, and every neighbour back', () => {
    for (const i of model.concepts.keys()) {
      const near =
        /data-near="([^"]*)"/
          .exec(card(page, i + 1))?.[1]
          .split(' ')
          .filter(part => part !== '') ?? []
      for (const k of near) {
        expect(card(page, i + 1)).toContain(`<a href="#concept-${Number(k) + 1}">`)
        expect(card(page, Number(k) + 1)).toMatch(new RegExp(`data-near="([\\d ]* )?${i}[ "]`))
      }
    }
  })

  test('renderReport(...) never shows an anchor as a word that was learned', () => {
    const anchors = new Set(model.lexicon.anchors.flatMap(({any}) => any))
    const shown = [...page.matchAll(/<tr><th scope="row">(.*?)<\/th><td[^>]*><svg class="bar"/g)].map(([, word]) =>
      text(word)
    )
    expect(shown.length).toBeGreaterThan(100)
    expect(shown.filter(word => anchors.has(word))).toEqual([])
  })

  test('renderReport(...) shows certificates with a sentence on what they mean, and settings', () => {
    const plain = text(page)
    expect(plain).toMatch(
      /distribution of lifts(optimal|stopped at a gap of [\d.]+% of the objective): objective [\d.]+, proven gap [\d.]+e-\d+, \d+ steps?How much more often than by chance pairs of concepts occur/
    )
    expect(plain).toMatch(
      /couplings of 253 pairs, \d+ edgesAn edge is a pair whose odds ratio differs from 1 by its 90% interval/
    )
    expect(plain).toMatch(/labels, up to 1,500 labelled documents per conceptFrom labelled documents\./)
    expect(plain).toContain('95%, from 40 resamplings')
    expect(page).toMatch(/<th scope="row">preset<\/th><td data-name="value"><code>robust<\/code>/)
    expect(page).toMatch(/<th scope="row">network<\/th><td data-name="value"><code>pairs<\/code>/)
    expect(page).toMatch(/<th scope="row">model<\/th><td data-name="value"><code>model\.json<\/code>/)
  })
})

describe('renderReport', () => {
  test('renderReport(...) of a directed network shows the certificates of its moments and its graph', async () => {
    const moments = {status: 'optimal', objective: 2, gap: 1e-9, steps: 4}
    const structure = {method: 'chow-liu', status: 'optimal', score: 1, bic: 12}
    const plain = text(await reportOf({model: {...drawnModel(3, 20), certificate: {moments, structure}}}))
    expect(plain).toContain(
      'How often concepts occur alone and in pairs was recovered as well as possible, and that is'
    )
    expect(plain).toContain('optimal (chow-liu, BIC 12.00000)No network of the allowed kind')
    expect(plain).toContain('Only edges whose direction can be determined have arrow heads.')
    expect(plain).toContain('Below each name: the share')
    const stopped = {...moments, status: 'tolerance', gap: 0.004}
    const part = {value: 0.1, low: 0.1, high: 0.1}
    const model = drawnModel(3, 20)
    const guesses = model.concepts.map(({name}) => {
      return {concept: name, basis: 'constant', sources: ['guess'], prevalence: part, precision: part}
    })
    const noise = {method: 'auto', labelledCount: 0, clippedPrevalence: [], concepts: guesses}
    const guessed = text(await reportOf({model: {...model, certificate: {moments: stopped, structure, noise}}}))
    expect(guessed).toContain('stopped at a gap of 0.20% of the objective')
    for (const share of ['Below each name', 'Switched on in', 'how common each concept is', 'documents with'])
      expect(guessed).not.toContain(share)
    expect(plain).not.toContain('90% intervals')
  })

  test('renderReport(...) of pairs lists every edge with its odds, and says how many are not drawn', async () => {
    const network = randomPairs(20, rng(6))
    const page = await reportOf({model: {...drawnModel(20, 60), network}})
    const {drawn, left} = drawnEdges(
      network,
      Array.from(network.prevalence, (_, i) => `c${i}`)
    )
    expect(text(page)).toContain(
      `Drawn are the two strongest edges of each concept, by mutual information; ${left} weaker ones are only in the list.`
    )
    const listed = [...page.matchAll(/<\/a> <b>[×÷]\u00a0[\d.]+<\/b><\/li>/g)]
    expect(listed).toHaveLength(drawn.length + left)
    expect(text(page)).toMatch(/And \d+ weaker ones; see the edges\./)
  })

  test('renderReport(...) gives the same bytes for the same input, and leaves the input as it was', async () => {
    const model = drawnModel(12, 60)
    const before = JSON.stringify(model)
    expect(await reportOf({model})).toBe(await reportOf({model: drawnModel(12, 60)}))
    expect(JSON.stringify(model)).toBe(before)
  })

  test('renderReport(...) of a model alone says what it does not know, and leaves those sections out', async () => {
    const page = await reportOf({model: small})
    expect(sectionIds(page)).toEqual(['summary', 'network', 'concepts', 'rates', 'certificates', 'settings'])
    const plain = text(page)
    expect(plain).toContain('The anchors were not examined for this report')
    expect(plain).toContain('Nothing here was compared with true tags')
    expect(plain).toContain("Left out, because an anchor or its rates cannot work: 'gout'.")
  })

  test('renderReport(...) warns of rates that were not measured, by name, and shows no share of them', async () => {
    const exactly = (value: number) => ({value, low: value, high: value})
    const concepts = small.concepts.map(({name}, i) => ({
      concept: name,
      prevalence: exactly(0.1),
      precision: exactly(0.9),
      sources: [i === 0 ? 'guess' : 'pair'],
      basis: i === 0 ? 'constant' : 'labels'
    }))
    const noise = {method: 'auto', labelledCount: 0, clippedPrevalence: ['flu'], concepts}
    const page = await reportOf({model: {...small, certificate: {noise}}})
    const plain = text(page)
    expect(plain).toContain('Without labels the rates and prevalences of fever are unknown')
    expect(plain).toContain('The anchors of flu fire more or less often than their rates allow.')
    const shares = (number: number) => text(card(page, number)).match(/Present in|in all documents/g)
    expect([shares(1), shares(2)]).toEqual([null, ['Present in', 'in all documents']])
    expect(text(card(page, 2))).toContain('Present in 20% of the documents')
  })

  test('renderReport(...) of a model that predicts in log-odds says which words count, and from where on to report', async () => {
    const page = await reportOf({model: {...small, wordModel: smallWeights}})
    expect(text(page)).toMatch(/a concept is a tag at a probability of [\d.]+% or more/)
    expect(text(page)).toMatch(/Words that count most in predictions ?For it: .*[×÷]/)
    expect(text(page)).not.toContain('Brackets hold')
    expect(text(await reportOf({model: small}))).not.toContain('count most in predictions')
  })

  test('renderReport(...) lists the members of an anchor with their documents and odds, and precisions that rest on measured rates', async () => {
    const figures = {memberPrecisions: [[0.8, 0.7], [1], [1]], memberDocuments: [[3, 1234], [4], [5]]}
    const wordModel = {
      ...smallWeights,
      members: [[0.5, -0.2], [0], [0]],
      certificate: {...smallWeights.certificate, ...figures}
    }
    const page = await reportOf({model: {...small, wordModel}})
    const read = (number: number) => text(card(page, number)).replaceAll('\u00a0', ' ')
    expect(read(1)).toContain(
      'Anchor: any ofmemberdocumentscounts asodds/t(emp)? 39/1,23470%÷ 1.2text:fever380%× 1.6But not with text:no fever'
    )
    expect(card(page, 2)).not.toContain('counts as')
    expect(text(page)).toContain('only labelled documents show how precise a member is')
    expect(text(await reportOf({model: small}))).not.toContain('how precise a member is')
    const rare = {...wordModel, certificate: {...wordModel.certificate, memberDocuments: [[3, 0], [4], [5]]}}
    expect(text(card(await reportOf({model: {...small, wordModel: rare}}), 1))).toMatch(
      /text:fever3.*Never found: \/t\(emp\)\? 39\//
    )
  })

  test('renderReport(...) shows odds with their intervals, where they are known', async () => {
    const page = await reportOf({model: {...small, wordModel: {...smallWeights, errors: smallErrors}}})
    expect(text(page)).toContain('Brackets hold 90% intervals.')
    // exp(0.25 - 1.645 x 0.05) and exp(0.25 + 1.645 x 0.05); the odds of absence are the inverse.
    expect(text(card(page, 1)).replaceAll('\u00a0', ' ')).toContain('For it: pale × 1.3 (1.2 to 1.4)')
    expect(text(card(page, 2)).replaceAll('\u00a0', ' ')).toContain('Against it: tired ÷ 2.7 (2.0 to 3.8)')
  })

  test('renderReport(...) opens the cards of few concepts and closes those of many', async () => {
    const opened = (page: string) => page.match(/<details class="card"[^>]* open>/g)?.length ?? 0
    expect(opened(await reportOf({model: drawnModel(5, 30)}))).toBe(5)
    expect(opened(await reportOf({model: drawnModel(23, 30)}))).toBe(0)
  })

  test('renderReport(...) of 200 concepts stays below 3 MB', async () => {
    const page = await reportOf({model: drawnModel(200, 500)})
    expect(page.match(/<details class="card"/g)?.length).toBe(200)
    expect(new TextEncoder().encode(page).length).toBeLessThan(3e6)
  })

  test('renderReport(...) without a picture of the network lists neighbours instead', async () => {
    const page = await reportOf({model: {...drawnModel(200, 20), network: tangledNetwork()}})
    expect(text(page)).toContain('it cannot be drawn readably')
    expect(page).not.toContain('id="network-picture"')
    expect(text(card(page, 3))).toMatch(/: occurs with it \w+ more often than by chance/)
  })

  test('renderReport(...) shows the sources of votes of the certificate, and nothing malformed', async () => {
    const names = ['<img src=x>', ...Array.from({length: 34}, (_, at) => `lf${at + 1}`)]
    const page = await reportOf({model: {...small, certificate: votedCertificate(names)}})
    expect(sectionIds(page)).toContain('sources')
    const section = page.slice(page.indexOf('<section id="sources"'), page.indexOf('<section id="certificates"'))
    expect(text(section)).toMatch(/Krippendorff's alpha 0\.50 \(1 is perfect/)
    expect(section).toMatch(/<th scope="row">&lt;img src=x><\/th>.*50% \(40% to [\d.]+%\).*ham for spam \(20%\)/)
    expect(section.match(/<tr>/g)).toHaveLength(36)
    for (const sorted of ['0.5">50% (40%', '101">101', '0.11">11%']) expect(section).toContain(`<data value="${sorted}`)
    expect(section).not.toContain('<img')
    const [group] = votedCertificate(['gpt']).sources
    const alone = {...group, sources: group.sources.map(one => ({...one, accuracy: {value: 0.9}}))}
    const bare = await reportOf({model: {...small, certificate: {sources: [alone]}}})
    expect(text(bare)).toContain('90% (not measured)')
    for (const odd of [undefined, 3, [], [{}], [{classes: [], sources: [{source: 'a', accuracy: {}}, null]}]]) {
      const other = await reportOf({model: {...small, certificate: {sources: odd}}})
      expect(sectionIds(other)).not.toContain('sources')
    }
  })

  test('renderReport(...) makes hostile names and words harmless', async () => {
    const page = await reportOf({model: hostileModel()})
    expect(page).not.toMatch(/<script>alert|<img|<\/title><\/style>/)
    expect(page.match(/<script>/g)).toHaveLength(1)
    expect(page).toContain('<h3>&lt;/script>&lt;script>alert(2)&lt;/script></h3>')
    expect(page).toContain('<h3>__proto__</h3>')
  })
})
