import fc from 'fast-check'
import {type Anchor, type Anchors, anchorsToJson, parseAnchors} from './anchors.ts'
import {type VocabularyOptions, vocabularyDefaults} from './learn-lexicon.ts'
import {parseRow, type Row} from './row.ts'
import {messageOf} from './test-rows.ts'

/** One of the names of a list. */
const oneOf = (names: string, separator = ' ') => fc.constantFrom(...names.split(separator))

const word = oneOf('fever chest pain no denies or cough chest-pain Pain 胸痛 a_b İs')
const gap = fc.constantFrom(' ', ' ', ' ', ' ', ', ', '. ', '\n', '’s ')
const text = fc.array(fc.tuple(word, gap), {maxLength: 9}).map(parts => parts.flat().join(''))

const feature = fc.oneof(
  {weight: 4, arbitrary: word},
  oneOf('chest pain;pain chest;text:chest pain;title:fever;chest-pain;Chest Pain;fever or cough', ';'),
  oneOf('no fever;neg:fever;text:neg:chest pain;neg:pain;neg:/fe[a-z]+/;fever cough;a b', ';'),
  oneOf('/fe/;/FE/;/chest[ -]pain/;text:/pa.*n/;/q/;drugs:/asp/;/no \\w+/;/胸/;/^fever$/m', ';'),
  oneOf('q R title:fever sex:m sex:F age:40-50 drugs:aspirin text:zebra votes:nurse=a'),
  fc.constantFrom('votes:nurse=b', 'votes:nurse=true', 'votes:llm=a', '', 'nofield:fever', 'fevre')
)

const plainDocument = fc.record(
  {
    id: fc.constantFrom('1', '2', '3', 4),
    title: text,
    text,
    features: fc.array(fc.constantFrom('q', 'R', 'title:fever', 'title:chest pain', 'neg:pain', '', 'sex:x', '胸痛'), {
      maxLength: 3
    }),
    sex: fc.constantFrom('m', 'F'),
    age: fc.constantFrom(41, 49, 70),
    drugs: fc.array(fc.constantFrom('aspirin', 'Ibuprofen', 'chest pain'), {maxLength: 2}),
    votes: fc.dictionary(fc.constantFrom('nurse', 'llm'), fc.constantFrom('a', 'b', 'not a', true, false), {
      maxKeys: 2
    }),
    tags: fc.array(fc.constantFrom('a', 'b', 'chest pain', 'no fever'), {maxLength: 3}),
    labels: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.boolean(), {maxKeys: 2})
  },
  {requiredKeys: ['text']}
)

/** Ways to read documents; few words and small shares, so that choices matter. */
export const anyReading: fc.Arbitrary<VocabularyOptions> = fc
  .record({
    vocabulary: fc.constantFrom(2, 5, 100),
    maxShare: fc.constantFrom(0.3, 0.6, 1),
    keepCase: fc.boolean(),
    negation: fc.boolean(),
    negationScope: fc.constantFrom(1, 10),
    category: fc.constantFrom([], ['sex']),
    number: fc.constantFrom([], ['age:10']),
    list: fc.constantFrom([], ['drugs'])
  })
  .map(options => ({...vocabularyDefaults, ...options, skipBadAnchors: true}))

/** One change of anchors; numbers choose a concept and a member of it. */
export type AnyEdit = readonly [
  kind: 'any' | 'not' | 'drop' | 'turn' | 'remove' | 'rename' | 'rates' | 'group' | 'bare',
  concept: number,
  feature: string
]

const kinds = 'any any any not drop turn remove rename rates group bare'.split(' ') as AnyEdit[0][]

export const anyEdits: fc.Arbitrary<AnyEdit[]> = fc.array(fc.tuple(fc.constantFrom(...kinds), fc.nat(3), feature), {
  minLength: 1,
  maxLength: 8
})

export const anyFeature = feature

/** Rows as they are read by `options`, each this many times. */
export function anyRows(options: VocabularyOptions, times = 1): fc.Arbitrary<Row[]> {
  return fc
    .array(plainDocument, {minLength: 2, maxLength: 12})
    .map(documents =>
      Array.from({length: times}, () => documents.map(document => parseRow(document, options, 'row'))).flat()
    )
}

/** The anchors before the first edit. */
export const firstAnchors: Anchors = ['fever', 'chest pain', '/co/'].map((feature, i) => ({
  concept: 'abc'[i],
  any: [feature],
  not: [],
  rates: undefined
}))

const names = ['a', 'b', 'c', 'not a', 'd']

/** The anchors after an edit; one that an anchors file could not have changes nothing. */
export function edited(anchors: Anchors, [kind, number, feature]: AnyEdit): Anchors {
  const at = anchors.length === 0 ? 0 : number % anchors.length
  const change = (part: (anchor: Anchor) => Partial<Anchor>) =>
    anchors.map((anchor, i) => (i === at ? {...anchor, ...part(anchor)} : anchor))
  const concept = names.find(name => !anchors.some(known => known.concept === name)) ?? 'e'
  const edits: Readonly<Record<AnyEdit[0], () => Anchors>> = {
    any: () =>
      number >= anchors.length
        ? [...anchors, {concept, any: [feature], not: [], rates: undefined}]
        : change(({any}) => ({any: [...new Set([...any, feature])]})),
    not: () => change(({not}) => ({not: [...new Set([...not, feature])]})),
    drop: () => change(({any}) => ({any: any.slice(1)})),
    turn: () =>
      change(({any, not}) => ({
        any: [...any.slice(1), ...not.slice(0, 1)],
        not: [...not.slice(1), ...any.slice(0, 1)]
      })),
    remove: () => anchors.filter((_, i) => i !== at),
    rename: () => change(anchor => ({concept: `${anchor.concept}'`})),
    rates: () => change(() => ({rates: {kind: 'rates', truePositive: 0.5, falsePositive: 0.01}})),
    group: () => anchors.map((anchor, i) => (i < 2 ? {...anchor, exclusive: {group: 0, size: 2}} : anchor)),
    bare: () => anchors.map(anchor => ({...anchor, any: [], not: []}))
  }
  const next = edits[kind]()
  const isWritable = messageOf(() => parseAnchors(JSON.stringify(anchorsToJson(next)), 'anchors')) === undefined
  return isWritable ? next : anchors
}
