import {AdfaError} from '../../base/checks/index.ts'
import {isPairNetwork, messageTables, type Network, type PairNetwork, pairNetwork} from '../../base/network/index.ts'
import {logit} from '../../base/numeric/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {memberFactors, type WordWeights} from '../../learn/robust/index.ts'
import {
  exclusiveGroups,
  indexAnchors,
  keyFields,
  listName,
  parseNumberField,
  readVote,
  valueFieldNames
} from '../../read/data/index.ts'
import {commentSql, wordLists} from '../../read/sql/index.ts'
import {
  type Dialect,
  dialectOf,
  type Entry,
  type MemberRange,
  type PairTable,
  type ScoringDatabase
} from './sql-dialects.ts'
import type {TagRule} from './tags-from.ts'

/**
 * A query that scores the documents of the table `documents` as `createPredictor` does, with all numbers of the model in it.
 * Weights are summed over the words of a document; beliefs are two rounds of messages over lists of the concepts, as in
 * `createBeliefs`. Cost: O(m words that occur + m^2) per document.
 */
export function scoreSql(model: Model, database: ScoringDatabase, rule: TagRule): string {
  const {wordModel, concepts, lexicon, network} = model
  if (wordModel.kind !== 'weights')
    throw refusal('predicts by noisy-or links, which need inference per document', 'fit it with `words` weights')
  if (lexicon.reading.negation) throw refusal('reads negation, which SQL cannot follow', 'fit it without `negation`')
  if (exclusiveGroups(lexicon.anchors).length > 0)
    throw refusal('has concepts that exclude each other, which the query does not compare', 'predict with adfa predict')
  const sql = dialectOf(database)
  const {entries, phrases} = readEntries(model, wordModel)
  const lists = featureLists(model, sql, phrases)
  const names = concepts.map(({name}) => name)
  const id = sql.identifier(keyFields(lexicon.reading).id)
  const columns = names.map(
    (name, i) =>
      `p[${i + 1}] AS ${sql.identifier([keyFields(lexicon.reading).id, ...OWN].includes(name) ? `${name} (adfa)` : name)}`
  )
  const pairs = pairsOf(network)
  const prior = Array.from(pairs.prevalence, p => logit(p))
  // The last sum is that of the squared idf of the words.
  const squares = `sums[${names.length + 1}]`
  const scale = `CASE WHEN ${squares} > 0 THEN ${wordModel.scale.typical} / pow(${squares}, 0.5) ELSE 1.0 END`
  const base = {silent: wordModel.silent.map((constant, i) => constant + prior[i]), fired: wordModel.fired}
  const ranges = memberRanges(model)
  const needs = lists.map(list => list.needs).join(', ')
  const notes = [`Scores the rows of the table documents, which needs the columns ${id} (unique), ${needs}.`, sql.hint]
  return `${commentSql(notes)}SELECT id AS ${id}, ${sql.tags(names, rule)} AS tags, ${columns.join(', ')}
FROM (${beliefsInSql(
    sql,
    {prior, ...tablesOf(pairs)},
    `
    -- The evidence on each concept: a constant for its anchor, its members where it fired, and its words.
    SELECT id, fired, ${evidenceInSql(sql, base, wordModel.firedShare)} AS evidence
    FROM (
      SELECT id, sums, ${sql.fired(ranges)} AS fired, ${membersInSql(sql, ranges, wordModel, memberFactors(lexicon))} AS from_members, ${scale} AS document_scale
      FROM (
        SELECT id, ${sql.sums(names.length + 1)}
        FROM (SELECT ${id} AS id, ${sql.explode(sql.concat([sql.none, ...lists.map(({list}) => list)]))} AS feature FROM documents) AS found
        ${sql.lookUp} (${sql.table(entries)}
        ) AS known USING (feature)
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

interface PairTables {
  readonly tables: readonly (readonly PairTable[])[]
  /** A likelihood ratio beyond this counts as certain. */
  readonly sure: number
}

/** Row i, item k: for the messages from k to i. On the diagonal a message is 1. */
function tablesOf(network: PairNetwork): PairTables {
  const {present, absent, sure} = messageTables(network)
  const m = network.prevalence.length
  const lift = (at: number) => (absent[at] === 0 ? 1 : present[at] / absent[at])
  const tables = Array.from({length: m}, (_, i) =>
    Array.from({length: m}, (_, k): PairTable => {
      const [there, back] = [i * m + k, k * m + i]
      return [lift(there), absent[there], lift(back), absent[back]]
    })
  )
  return {tables, sure}
}

function memberRanges({lexicon}: Model): MemberRange[] {
  let last = 0
  return lexicon.anchors.map(({any}) => {
    const first = last + 1
    last += any.length
    return {first, last}
  })
}

/** What members that fired add, as in `EvidenceReader`, one number per concept. */
function membersInSql(
  sql: Dialect,
  ranges: readonly MemberRange[],
  {members}: WordWeights,
  shares: readonly number[]
): string {
  const sumOf = (weights: readonly number[], first: number) =>
    `(${weights.map((weight, at) => `CASE WHEN ${sql.has('firing', first + at)} THEN ${weight} ELSE 0.0 END`).join(' + ')})`
  const added = ranges.map(({first}, i) => {
    if (members === undefined || members[i].length === 1) return '0.0'
    const count = `greatest(1.0, ${sumOf(
      members[i].map(() => 1),
      first
    )})`
    return `${sumOf(members[i], first)} / ${count} + ln(1 + ${shares[i]} * (${count} - 1))`
  })
  return `[${added.join(', ')}]`
}

/** The log-odds of every concept before messages, as in `WeightReader`. */
function evidenceInSql(
  sql: Dialect,
  {silent, fired}: {readonly silent: readonly number[]; readonly fired: readonly number[]},
  firedShare: number
): string {
  const words = 'document_scale * sums[i]'
  const whereFired = `${sql.numbers(fired)}[i] + ${firedShare} * ${words} + from_members[i]`
  const body = `CASE WHEN fired[i] THEN ${whereFired} ELSE silent + ${words} END`
  return sql.each(sql.numbers(silent), 'silent', body, ['document_scale', 'sums', 'from_members'])
}

/**
 * `p`: the probability of every concept after two rounds of messages; see `PairBeliefs`. With the likelihood ratio L of the
 * evidence on k, and r and r u the probabilities of k where i is absent and present, the message from k to i is
 * (1 - r u + r u L) / (1 - r + r L) = u + (1 - u) / (1 - r + r L). A concept whose anchor fired counts at its probability and
 * receives nothing.
 */
function beliefsInSql(
  sql: Dialect,
  {prior, tables, sure}: PairTables & {readonly prior: readonly number[]},
  evidence: string
): string {
  const [u, r, backU, backR] = [0, 1, 2, 3].map(place => sql.part('pair', place))
  const message = (lift: string, rate: string, ratio: string) =>
    `(${lift} + (1 - ${lift}) / (1 - ${rate} + ${rate} * ${ratio}))`
  /** The product of what fired and other concepts send to i. */
  const received = (fired: string, other: string) =>
    `CASE WHEN fired[i] THEN 1 ELSE ${sql.product('pairs', 'pair', `CASE WHEN fired[k] THEN ${fired} ELSE ${other} END`)} END`
  const rows = (body: string, columns: readonly string[]) => sql.each(sql.pairs(tables), 'pairs', body, columns)
  const fromFired = received(`(1 - chances[k]) * (1 - ${r} * ${u}) / (1 - ${r}) + chances[k] * ${u}`, '1')
  const first = received('1', message(u, r, 'ratios[k]'))
  // The evidence on k after the first round, without what k received from i.
  const second = received('1', message(u, r, `ratios_after[k] / ${message(backU, backR, 'ratios[i]')}`))
  const bounded = (ratio: string) => `least(greatest(${ratio}, ${1 / sure}), ${sure.toExponential()})`
  return `
  -- Second round: the messages of the others, each without what it received from this concept.
  SELECT id, fired, ${rows(`1 / (1 + exp(-log_odds[i] - ln(${second})))`, ['log_odds', 'ratios', 'ratios_after'])} AS p
  FROM (
    -- First round: the evidence on each concept, as a likelihood ratio, times the messages of the others.
    SELECT id, fired, log_odds, ratios, ${rows(bounded(`ratios[i] * ${first}`), ['ratios'])} AS ratios_after
    FROM (
      SELECT id, fired, log_odds, ${sql.each('log_odds', 'own', bounded(`exp(own - ${sql.numbers(prior)}[i])`), [])} AS ratios
      FROM (
        -- What concepts add whose anchors fired.
        SELECT id, fired, ${rows(`evidence[i] + ln(${fromFired})`, ['evidence', 'chances'])} AS log_odds
        FROM (SELECT id, fired, evidence, ${sql.each('evidence', 'own', '1 / (1 + exp(-own))', [])} AS chances FROM (${evidence}
        ))
      )
    )
  )`
}

/** Names of columns that concepts cannot have. */
const OWN: readonly string[] = ['id', 'tags', 'p']

function refusal(what: string, wayOut: string): AdfaError {
  return new AdfaError('bad-option', `this model ${what}, so no query can score documents with it; ${wayOut}`)
}

/** The features that matter, and the phrases of text, each as its parts. */
function readEntries({lexicon, concepts}: Model, {weights, scale}: WordWeights) {
  const {anchors, words, reading} = lexicon
  const index = indexAnchors(anchors, lexicon.phrases, reading)
  if ([...words, ...anchors.flatMap(({any, not}) => [...any, ...not])].some(name => readVote(name) !== undefined))
    throw refusal('reads votes, which are in no column of words', 'predict with adfa predict')
  if (index.patterns.length > 0)
    throw refusal('has regular expressions as anchors, which databases read in other ways', 'use words and phrases')
  const partsOf = new Map(Array.from(index.phrases.tokens, ([parts, token]) => [token, parts]))
  const wordAt = new Map(words.map((word, j) => [word, j]))
  const entries = [...new Set([...words, ...index.roleNames])].flatMap((name): Entry[] => {
    const j = wordAt.get(name)
    const {members = [], vetoes = []} = index.featureRole(name) ?? {}
    const entry = {
      weights: j === undefined ? undefined : [...concepts.map((_, i) => weights[i][j]), scale.idf[j] ** 2],
      fires: members.map(member => member + 1),
      vetoes: vetoes.map(concept => concept + 1)
    }
    // A phrase is found in text by its parts, whatever its spelling.
    const field = reading.text.find(prefix => name.startsWith(`${prefix}:`))
    const parts = field === undefined ? undefined : partsOf.get(name.slice(field.length + 1))
    const names = parts === undefined ? [name] : [...new Set([name, `${field}:${parts}`])]
    return names.map(feature => ({feature, ...entry}))
  })
  return {entries, phrases: [...index.phrases.tokens.keys()].map(parts => parts.split(' '))}
}

/** The features of a document as lists, and the columns that they are from. */
function featureLists({lexicon}: Model, sql: Dialect, phrases: readonly (readonly string[])[]) {
  const {reading, words, anchors} = lexicon
  const prefixes = [...reading.text, ...valueFieldNames(reading)].map(name => `${name}:`)
  const hasOther = reading.text.length === 0 || words.some(word => !prefixes.some(prefix => word.startsWith(prefix)))
  // A field without any was in no document, and need not be a column.
  const named = [...words, ...anchors.flatMap(({any, not}) => [...any, ...not])]
  const isUsed = (field: string) => named.some(name => name.startsWith(`${field}:`))
  const used = {
    ...reading,
    text: reading.text.filter(isUsed),
    category: reading.category.filter(isUsed),
    number: reading.number.filter(entry => isUsed(parseNumberField(entry).field)),
    list: reading.list.map(listName).filter(isUsed)
  }
  return [
    ...wordLists(sql, used, phrases).map(({column, list}) => ({
      list,
      needs: used.list.includes(column) ? `${column} (a list)` : column
    })),
    ...(hasOther ? [{list: sql.plainList('features'), needs: 'features (a list)'}] : [])
  ]
}
