import fc from 'fast-check'
import {rng} from '../../base/numeric/index.ts'
import {type Counts, countCorpus} from '../counts/index.ts'
import {lexiconWith} from '../counts/test-corpora.ts'
import {type Corpus, type CorpusDocument, type Lexicon, textDefaults} from '../data/index.ts'

/** Two features an anchor, the second of which releases never tell apart; words with names that are hard on objects. */
export function siteLexicon(concepts: number, words: number): Lexicon {
  const {anchors, ...rest} = lexiconWith(new Array<number>(concepts).fill(2), words)
  const names = ['__proto__', 'constructor', 'line\nbreak', 'sex=männlich', '"quoted"']
  return {
    ...rest,
    anchors: anchors.map((anchor, i) => (i === 0 ? {...anchor, concept: '__proto__'} : anchor)),
    words: rest.words.map((word, j) => names[j] ?? word).sort()
  }
}

export function siteDocument(
  key: string,
  members: readonly number[],
  words: readonly number[],
  labels?: readonly number[]
): CorpusDocument {
  const anchors = [...new Set(members.map(member => Math.floor(member / 2)))]
  return {key, words, anchors, members, labels: labels && Int8Array.from(labels)}
}

/** 1 to 4 concepts, up to 5 words, 1 to 60 documents, each kind of document several times over. */
export const anySite: fc.Arbitrary<Corpus> = fc
  .tuple(fc.integer({min: 1, max: 4}), fc.nat(5))
  .chain(([concepts, words]) => {
    const lexicon = siteLexicon(concepts, words)
    const kind = fc.record({
      members: fc.subarray(Array.from({length: 2 * concepts}, (_, at) => at)),
      words: fc.subarray(lexicon.words.map((_, j) => j)),
      times: fc.integer({min: 1, max: 12})
    })
    return fc.array(kind, {minLength: 1, maxLength: 10}).map(kinds => ({
      lexicon,
      documents: kinds.flatMap(({members, words, times}, at) =>
        Array.from({length: times}, (_, copy) => siteDocument(`${at}-${copy}`, members, words))
      )
    }))
  })

export function countSite(corpus: Corpus): Counts {
  return countCorpus(corpus, {labelShare: 1, seed: 0})
}

/** Documents of a site in which concepts come with anchors, words and other concepts. */
export function drawSite(seed: number, documentCount: number, concepts = 6, words = 30): Corpus {
  const random = rng(seed)
  const lexicon = siteLexicon(concepts, words)
  const documents = Array.from({length: documentCount}, (_, at) => {
    const severity = random.next()
    const has = Array.from({length: concepts}, (_, i) => random.next() < (0.1 + 0.05 * i) * (0.5 + severity))
    const members = has.flatMap((present, i) =>
      [0, 1].flatMap(w => (random.next() < (present ? 0.5 : 0.02) ? [2 * i + w] : []))
    )
    const found = lexicon.words.flatMap((_, j) => (random.next() < (has[j % concepts] ? 0.4 : 0.05) ? [j] : []))
    return siteDocument(`document-${at}`, members, found, has.map(Number))
  })
  return {lexicon, documents}
}

/** A corpus, and what readers know of its words: of each block a document has at most one, depending on some anchors. */
export interface AttackedCorpus {
  readonly site: Corpus
  readonly blocks: readonly {readonly words: readonly number[]; readonly anchors: readonly number[]}[]
  /** Concepts whose anchors may imply or exclude each other. */
  readonly tied: readonly number[]
}

/** What a corpus to attack is made of. */
const anyTraits = fc.record({
  concepts: fc.integer({min: 1, max: 2}),
  words: fc.nat(2),
  // Wards that are words, and whether one is an anchor by itself or beside a word; the same for the classes of votes.
  wards: fc.nat(3),
  wardAnchor: fc.constantFrom('none', 'pure', 'mixed'),
  ages: fc.nat(2),
  classes: fc.nat(3),
  voteAnchor: fc.constantFrom('none', 'pure', 'mixed'),
  // An expression that implies another.
  hasExpressions: fc.boolean(),
  isComplete: fc.boolean()
})
type Traits = typeof anyTraits extends fc.Arbitrary<infer T> ? T : never

/** Corpora with what has let readers find out numbers: categories, votes and expressions. */
export const anyAttackedCorpus: fc.Arbitrary<AttackedCorpus> = anyTraits.chain(traits => {
  const {wards, classes, ages, isComplete} = traits
  const corpus = traitCorpus(traits)
  const least = isComplete ? 0 : -1
  const value = (words: number, anchor: Traits['wardAnchor'] = 'none') => {
    const most = words - 1 + (anchor === 'none' ? 0 : 1)
    return most < 0 ? fc.constant(-1) : fc.integer({min: least, max: most})
  }
  const kind = fc.record({
    plain: fc.subarray(Array.from({length: 2 * traits.concepts}, (_, at) => at)),
    words: fc.subarray(Array.from({length: traits.words}, (_, j) => j)),
    ward: value(wards, traits.wardAnchor),
    age: value(ages),
    vote: value(classes, traits.voteAnchor),
    beside: fc.subarray([0, 1]),
    pain: fc.nat(2),
    times: fc.integer({min: 1, max: 12})
  })
  return fc.array(kind, {minLength: 2, maxLength: 10}).map(kinds => ({
    ...corpus,
    site: {
      lexicon: corpus.lexicon,
      documents: kinds.flatMap((kind, at) => {
        const names = [
          ...kind.plain.map(member => `anchor-${Math.floor(member / 2)}-${member % 2}`),
          ...kind.words.map(j => siteLexicon(0, traits.words).words[j]),
          ...(kind.ward < 0 ? [] : [kind.ward === wards ? 'ward:icu' : `ward:${kind.ward}`]),
          ...(kind.age < 0 ? [] : [`age:${kind.age}`]),
          ...(kind.vote < 0 ? [] : [`votes:nurse=${kind.vote === classes ? 'alcohol' : kind.vote}`]),
          ...kind.beside.map(at => ['tube', 'beer'][at]),
          ...['/pain/', '/chest pain/'].slice(0, kind.pain)
        ]
        return Array.from({length: kind.times}, (_, copy) => documentOf(corpus.lexicon, `${at}-${copy}`, names))
      })
    }
  }))
})

function traitCorpus(traits: Traits) {
  const {concepts, words, wards, wardAnchor, ages, classes, voteAnchor, hasExpressions} = traits
  const plain = siteLexicon(concepts, words)
  const anchor = (concept: string, any: string[]) => ({concept, any, not: [], rates: undefined})
  const anchors = [
    ...plain.anchors,
    ...(wardAnchor === 'none' ? [] : [anchor('vent', wardAnchor === 'pure' ? ['ward:icu'] : ['ward:icu', 'tube'])]),
    ...(voteAnchor === 'none'
      ? []
      : [anchor('alcohol', voteAnchor === 'pure' ? ['votes:nurse=alcohol'] : ['beer', 'votes:nurse=alcohol'])]),
    ...(hasExpressions ? [anchor('pain', ['/pain/']), anchor('chest', ['/chest pain/'])] : [])
  ]
  const names = [
    ...plain.words,
    ...Array.from({length: ages}, (_, at) => `age:${at}`),
    ...Array.from({length: wards}, (_, at) => `ward:${at}`),
    ...Array.from({length: classes}, (_, at) => `votes:nurse=${at}`)
  ]
  const lexicon: Lexicon = {
    ...plain,
    anchors,
    words: names,
    reading: {...textDefaults, category: ['ward'], number: ['age:1']}
  }
  const blocks = ['age:', 'ward:', 'votes:nurse='].map(field => ({
    words: [...names.keys()].filter(j => names[j].startsWith(field)),
    anchors: [...anchors.keys()].filter(i =>
      anchors[i].any.some(name => name.startsWith(field) || name.startsWith('/'))
    )
  }))
  const tied = [...anchors.keys()].filter(i => anchors[i].any.some(name => /^(ward:|votes:|\/)/.test(name)))
  return {lexicon, tied, blocks: blocks.filter(({words}) => words.length > 0)}
}

/** A document with features of these names. */
function documentOf({anchors, words}: Lexicon, key: string, names: readonly string[]): CorpusDocument {
  const members = anchors.flatMap(({any}) => any).flatMap((name, member) => (names.includes(name) ? [member] : []))
  const concepts = anchors.flatMap(({any}, i) => any.map(() => i))
  return {
    key,
    members,
    anchors: [...new Set(members.map(member => concepts[member]))],
    words: words.flatMap((word, j) => (names.includes(word) ? [j] : [])),
    labels: undefined
  }
}
