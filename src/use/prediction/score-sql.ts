import {AdfaError} from '../../base/checks/index.ts'
import {
  isPairNetwork,
  type Network,
  type PairNetwork,
  pairNetwork,
  passedTables,
  SURE
} from '../../base/network/index.ts'
import {logit} from '../../base/numeric/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {WordWeights} from '../../learn/words/index.ts'
import {
  binName,
  createFeatureReader,
  indexAnchors,
  keyFields,
  type NumberField,
  valueFieldNames
} from '../../read/data/index.ts'
import {type Dialect, dialectOf, type Entry, type PairTable, type SqlDatabase} from './sql-dialects.ts'
import {tokensInSql} from './sql-tokens.ts'

/**
 * A query that scores the documents of the table `documents` as `createPredictor` does, with all numbers of the model in it.
 * Weights are summed over the words of a document; beliefs are two rounds of messages over lists of the concepts, as in
 * `createBeliefs`. Cost: O(m words that occur + m^2) per document.
 */
export function scoreSql(model: Model, database: SqlDatabase, threshold: number): string {
  const {wordModel, concepts, lexicon, network} = model
  if (wordModel.kind !== 'weights')
    throw refusal('predicts by noisy-or links, which need inference per document', 'fit it with `words` weights')
  if (lexicon.text.negation) throw refusal('reads negation, which SQL cannot follow', 'fit it without `negation`')
  const sql = dialectOf(database)
  const {entries, phrases} = readEntries(model, wordModel)
  const lists = featureLists(model, sql, phrases)
  const names = concepts.map(({name}) => name)
  const {typical, power} = wordModel.length
  const id = sql.identifier(keyFields(lexicon.text).id)
  const columns = names.map(
    (name, i) =>
      `p[${i + 1}] AS ${sql.identifier([keyFields(lexicon.text).id, ...OWN].includes(name) ? `${name} (adfa)` : name)}`
  )
  const pairs = pairsOf(network)
  const prior = Array.from(pairs.prevalence, p => logit(p))
  const base = {silent: wordModel.silent.map((constant, i) => constant + prior[i]), fired: wordModel.fired}
  return `-- Scores the rows of the table documents, which needs the columns ${id} (unique), ${lists.map(({needs}) => needs).join(', ')}.
-- ${sql.hint}
SELECT id AS ${id}, ${sql.tags(names, threshold)} AS tags, ${columns.join(', ')}
FROM (${beliefsInSql(
    sql,
    {prior, tables: tablesOf(pairs)},
    `
    -- The evidence on each concept: a constant for its anchor, and its words.
    SELECT id, fired, ${evidenceInSql(sql, base, wordModel.firedShare)} AS evidence
    FROM (
      SELECT id, sums, ${sql.fired(names.length)} AS fired, pow(greatest(n, 1) / ${typical}, ${-power}) AS length_factor
      FROM (
        SELECT id, ${sql.sums(names.length)}
        FROM (SELECT ${id} AS id, ${sql.explode(sql.concat(lists.map(({list}) => list)))} AS feature FROM documents)
        ${sql.lookUp} (${sql.table(entries)}
        ) USING (feature)
        GROUP BY id
      )
    )`
  )}
)
ORDER BY id
`
}

/** A network without edges is one of pairs without effect. */
function pairsOf(network: Network): PairNetwork {
  if (isPairNetwork(network)) return network
  if (network.parents.some(list => list.length > 0))
    throw refusal('has a directed network, which needs inference per document', 'fit it with `structure` pairs')
  const none = new Float64Array(network.parents.length ** 2)
  const prevalence = Float64Array.from(network.cpt, ([p]) => p)
  return pairNetwork({prevalence, couplings: none, low: none.map(() => 1), high: none.map(() => 1)})
}

/** Row i, item k of the messages from k to i. */
function tablesOf(network: PairNetwork): readonly (readonly PairTable[])[] {
  const {present, absent} = passedTables(network)
  const m = network.prevalence.length
  return Array.from({length: m}, (_, i) =>
    Array.from({length: m}, (_, k): PairTable => {
      const [there, back] = [i * m + k, k * m + i]
      return [present[there], absent[there], present[back], absent[back]]
    })
  )
}

/** The log-odds of every concept before messages, as in `WeightReader`. */
function evidenceInSql(
  sql: Dialect,
  {silent, fired}: {readonly silent: readonly number[]; readonly fired: readonly number[]},
  firedShare: number
): string {
  const words = 'length_factor * sums[i]'
  const whereFired = `${sql.numbers(fired)}[i] + ${firedShare} * ${words}`
  const body = `CASE WHEN fired[i] THEN ${whereFired} ELSE silent + ${words} END`
  return sql.each(sql.numbers(silent), 'silent', body, ['length_factor', 'sums'])
}

/**
 * `p`: the probability of every concept after two rounds of messages; see `PairBeliefs`. The evidence on a concept, as a
 * likelihood ratio L, is kept as `absent`, 1 / (1 + L), and `present`; 0 is before the first round and 1 after it. A concept
 * whose anchor fired sends its probability and receives nothing.
 */
function beliefsInSql(
  sql: Dialect,
  {prior, tables}: {readonly prior: readonly number[]; readonly tables: readonly (readonly PairTable[])[]},
  evidence: string
): string {
  const [q, r, qBack, rBack] = [0, 1, 2, 3].map(place => sql.part('pair', place))
  const over = (body: string) => sql.product('pairs', 'pair', body)
  const rows = (body: string, columns: readonly string[]) => sql.each(sql.pairs(tables), 'pairs', body, columns)
  const settled = `(1 - settled[k]) * (1 - ${q}) / (1 - ${r}) + settled[k] * ${q} / ${r}`
  const withFired = `evidence[i] + CASE WHEN fired[i] THEN 0 ELSE ln(${over(`CASE WHEN fired[k] THEN ${settled} ELSE 1 END`)}) END`
  const mixed = (chance: string, no: string, yes: string) => `(1 - ${chance}) * ${no} + ${chance} * ${yes}`
  const first = `(${mixed(q, 'absent0[k]', 'present0[k]')}) / (${mixed(r, 'absent0[k]', 'present0[k]')})`
  const ratio = `present0[i] / absent0[i] * ${over(`CASE WHEN fired[k] THEN 1 ELSE ${first} END`)}`
  // The evidence on k after the first round, without what k received from i.
  const [no, yes] = [
    `(${mixed(qBack, 'absent0[i]', 'present0[i]')}) * absent1[k]`,
    `(${mixed(rBack, 'absent0[i]', 'present0[i]')}) * present1[k]`
  ]
  const second = `(${mixed(q, no, yes)}) / (${mixed(r, no, yes)})`
  const logOdds = `log_odds[i] + CASE WHEN fired[i] THEN 0 ELSE ln(${over(`CASE WHEN fired[k] THEN 1 ELSE ${second} END`)}) END`
  const kept = 'id, fired, log_odds'
  const shares = (round: number) => {
    const bounded = `least(greatest(ratio, ${1 / SURE}), ${SURE.toExponential()})`
    return `${sql.each(`ratio${round}`, 'ratio', `1 / (1 + ${bounded})`, [])} AS absent${round}, ${sql.each(`ratio${round}`, 'ratio', `1 / (1 + 1 / ${bounded})`, [])} AS present${round}`
  }
  return `
  -- Second round: the messages of the others, each without what it received from this concept.
  SELECT id, ${rows(`1 / (1 + exp(-(${logOdds})))`, ['log_odds', 'absent0', 'present0', 'absent1', 'present1'])} AS p
  FROM (SELECT ${kept}, absent0, present0, ${shares(1)} FROM (
    -- First round: the evidence on each concept times the messages of the others.
    SELECT ${kept}, absent0, present0, ${rows(ratio, ['absent0', 'present0'])} AS ratio1
    FROM (SELECT ${kept}, ${shares(0)} FROM (
      SELECT ${kept}, ${sql.each('log_odds', 'own', `exp(own - ${sql.numbers(prior)}[i])`, [])} AS ratio0 FROM (
      -- Concepts whose anchor fired count at their probability.
      SELECT id, fired, ${rows(withFired, ['evidence', 'settled'])} AS log_odds
      FROM (SELECT id, fired, evidence, ${sql.each('evidence', 'own', '1 / (1 + exp(-own))', [])} AS settled FROM (${evidence}
    )))))
  ))`
}

/** Names of columns that concepts cannot have. */
const OWN: readonly string[] = ['id', 'tags']

function refusal(what: string, wayOut: string): AdfaError {
  return new AdfaError('bad-option', `this model ${what}, so no query can score documents with it; ${wayOut}`)
}

/** The features that matter, and the phrases of text, each as its parts. */
function readEntries({lexicon, concepts}: Model, {weights}: WordWeights) {
  const {anchors, words, text} = lexicon
  const reader = createFeatureReader(anchors, lexicon.phrases, text)
  if (reader.hasPatterns)
    throw refusal('has regular expressions as anchors, which databases read in other ways', 'use words and phrases')
  const phrases = indexAnchors(anchors, lexicon.phrases, text).phrases.tokens
  const partsOf = new Map(Array.from(phrases, ([parts, token]) => [token, parts]))
  const wordAt = new Map(words.map((word, j) => [word, j]))
  const entries = [...new Set([...words, ...reader.roleNames])].flatMap((name): Entry[] => {
    const j = wordAt.get(name)
    const {members = [], vetoes = []} = reader.featureRole(name) ?? {}
    const entry = {
      weights: j === undefined ? undefined : concepts.map((_, i) => weights[i][j]),
      fires: [...new Set(members.map(member => reader.memberConcepts[member] + 1))],
      vetoes: vetoes.map(concept => concept + 1)
    }
    // A phrase is found in text by its parts, whatever its spelling.
    const field = text.fields.find(prefix => name.startsWith(`${prefix}:`))
    const parts = field === undefined ? undefined : partsOf.get(name.slice(field.length + 1))
    const names = parts === undefined ? [name] : [...new Set([name, `${field}:${parts}`])]
    return names.map(feature => ({feature, ...entry}))
  })
  return {entries, phrases: [...phrases.keys()].map(parts => parts.split(' '))}
}

/** The features of a document as lists, and the columns that they are from. */
function featureLists({lexicon}: Model, sql: Dialect, phrases: readonly (readonly string[])[]) {
  const {text, words, anchors} = lexicon
  const cased = (value: string) => (text.lowerCase ? sql.lower(value) : value)
  const trimmed = (value: string) => cased(sql.replace(value, '^[\\s\\p{Z}]+|[\\s\\p{Z}]+$', ''))
  const from = (field: string, list: string, needs = field) => ({
    needs,
    list: sql.map(list, item => `concat(${sql.text(`${field}:`)}, ${item})`)
  })
  const one = (value: string) => sql.split(value, '\x07')
  const column = (field: string) => sql.plainText(sql.identifier(field))
  const prefixes = [...text.fields, ...valueFieldNames(text)].map(name => `${name}:`)
  const hasOther = text.fields.length === 0 || words.some(word => !prefixes.some(prefix => word.startsWith(prefix)))
  // A field without any was in no document, and need not be a column.
  const named = [...words, ...anchors.flatMap(({any, not}) => [...any, ...not])]
  const isUsed = (field: string) => named.some(name => name.startsWith(`${field}:`))
  return [
    ...text.fields.filter(isUsed).map(field => from(field, tokensInSql(sql, cased(column(field)), phrases))),
    ...text.categories.filter(isUsed).map(field => from(field, one(trimmed(column(field))))),
    ...text.numbers.filter(({field}) => isUsed(field)).map(bins => from(bins.field, one(binInSql(sql, bins)))),
    ...text.lists
      .filter(isUsed)
      .map(field => from(field, sql.map(sql.plainList(sql.identifier(field)), trimmed), `${field} (a list)`)),
    ...(hasOther ? [{list: sql.plainList('features'), needs: 'features (a list)'}] : [])
  ]
}

/** The name of the bin of a number, as `binName` gives it. */
function binInSql(sql: Dialect, bins: NumberField): string {
  const {field, width, edges} = bins
  const number = sql.plainNumber(sql.identifier(field))
  if (edges !== undefined) {
    const cases = edges.map((edge, at) => {
      const below = binName(at === 0 ? Number.NEGATIVE_INFINITY : edges[at - 1], bins)
      return `WHEN ${number} < ${edge} THEN ${sql.text(below)}`
    })
    const last = sql.text(binName(edges[edges.length - 1], bins))
    return `coalesce(CASE WHEN ${number} IS NULL THEN '' ${cases.join(' ')} ELSE ${last} END, '')`
  }
  if (!Number.isSafeInteger(width))
    throw refusal(
      `has bins of ${width} for "${field}", and SQL divides in binary`,
      'fit it with a whole width, or with edges'
    )
  const lower = `floor(${number} / ${width}) * ${width}`
  const joint = `CASE WHEN ${number} < 0 THEN '..' ELSE '-' END`
  return `coalesce(concat(${sql.whole(lower)}, ${joint}, ${sql.whole(`${lower} + ${width}`)}), '')`
}
