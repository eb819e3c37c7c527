import {AdfaError} from '../../base/checks/index.ts'
import {isPairNetwork, messageTables, type Network, type PairNetwork, pairNetwork} from '../../base/network/index.ts'
import {logit} from '../../base/numeric/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {memberFactors, type WordWeights} from '../../learn/robust/index.ts'
import {exclusiveGroups, fieldsOf, indexAnchors, readVote} from '../../read/data/index.ts'
import {commentSql, wordLists} from '../../read/sql/index.ts'
import {type Dialect, type Entry, type ScoringDatabase, scoringDialects} from './sql-dialects.ts'
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
  const sql = scoringDialects[database]
  const {entries, phrases} = readEntries(model, wordModel)
  const lists = featureLists(model, sql, phrases)
  const names = concepts.map(({name}) => name)
  const id = sql.identifier(lexicon.reading.id)
  const columns = names.map(
    (name, i) =>
      `p[${i + 1}] AS ${sql.identifier([lexicon.reading.id, ...OWN].includes(name) ? `${name} (adfa)` : name)}`
  )
  const pairs = pairsOf(network)
  const prior = Array.from(pairs.prevalence, p => logit(p))
  // The last sum is that of the squared idf of the words.
  const squares = `sums[${names.length + 1}]`
  const scale = `CASE WHEN ${squares} > 0 THEN ${wordModel.scale.typical} / pow(${squares}, 0.5) ELSE 1.0 END`
  const base = {silent: wordModel.silent.map((constant, i) => constant + prior[i]), fired: wordModel.fired}
  const members = membersOf(model)
  const needs = lists.map(list => list.needs).join(', ')
  const notes = [`Scores the rows of the table documents, which needs the columns ${id} (unique), ${needs}.`, sql.hint]
  return `${commentSql(notes)}SELECT id AS ${id}, ${sql.tags(names, leastInSql(rule))} AS tags, ${columns.join(', ')}
FROM (${beliefsInSql(
    sql,
    pairs,
    prior,
    `
    -- The evidence on each concept: a constant for its anchor, its members where it fired, and its words.
    SELECT id, fired, ${evidenceInSql(sql, base, wordModel.firedShare)} AS evidence
    FROM (
      SELECT id, sums, ${firedInSql(sql, members)} AS fired, ${membersInSql(sql, members, wordModel, memberFactors(lexicon))} AS from_members, ${scale} AS document_scale
      FROM (
        SELECT id, ${sql.sums(names.length + 1)}
        FROM (SELECT ${id} AS id, ${sql.explode(sql.concat([NO_WORD, ...lists.map(({list}) => list)]))} AS feature FROM documents) AS found
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

/** A list with one empty text, so that a document without words has a row. */
const NO_WORD = "['']"

/** The least probability at which each concept is a tag. */
function leastInSql({fired, silent}: TagRule): string[] {
  const written = (value: number) => (Number.isInteger(value) ? `${value}.0` : `${value}`)
  return fired.map((least, i) =>
    least === silent[i]
      ? written(least)
      : `CASE WHEN fired[${i + 1}] THEN ${written(least)} ELSE ${written(silent[i])} END`
  )
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

/**
 * For concepts i and k, for the message from k to i: P(Y_k=1|Y_i=1) / P(Y_k=1|Y_i=0), P(Y_k=1|Y_i=0), and the same two with i and k
 * exchanged. With itself the ratio is 1.
 */
function messageParts(network: PairNetwork): number[][][] {
  const {present, absent} = messageTables(network)
  const m = network.prevalence.length
  const lift = (at: number) => (absent[at] === 0 ? 1 : present[at] / absent[at])
  const parts = (there: number, back: number) => [lift(there), absent[there], lift(back), absent[back]]
  return Array.from({length: m}, (_, i) => Array.from({length: m}, (_, k) => parts(i * m + k, k * m + i)))
}

/** The members of each anchor by their numbers among all, from 1. */
function membersOf({lexicon}: Model): number[][] {
  let last = 0
  return lexicon.anchors.map(({any}) => any.map(() => ++last))
}

/** For each concept, whether one of its members is firing and it is not vetoed. */
function firedInSql(sql: Dialect, members: readonly (readonly number[])[]): string {
  const fired = members.map((own, i) => {
    return `(${own.map(k => sql.has('firing', k)).join(' OR ')}) AND NOT ${sql.has('vetoing', i + 1)}`
  })
  return `[${fired.join(', ')}]`
}

/** What members that fired add, as in `EvidenceReader`, one number per concept. */
function membersInSql(
  sql: Dialect,
  members: readonly (readonly number[])[],
  {members: weights}: WordWeights,
  shares: readonly number[]
): string {
  const added = members.map((own, i) => {
    if (weights === undefined || own.length === 1) return '0.0'
    const sumOf = (weightOf: (at: number) => number) =>
      `(${own.map((k, at) => `CASE WHEN ${sql.has('firing', k)} THEN ${weightOf(at)} ELSE 0.0 END`).join(' + ')})`
    const count = `greatest(1.0, ${sumOf(() => 1)})`
    return `${sumOf(at => weights[i][at])} / ${count} + ln(1 + ${shares[i]} * (${count} - 1))`
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
function beliefsInSql(sql: Dialect, pairs: PairNetwork, prior: readonly number[], evidence: string): string {
  const [u, r, backU, backR] = sql.parts
  const {sure} = messageTables(pairs)
  const message = (lift: string, rate: string, ratio: string) =>
    `(${lift} + (1 - ${lift}) / (1 - ${rate} + ${rate} * ${ratio}))`
  /** The product of what fired and other concepts send to i. */
  const received = (fired: string, other: string) =>
    `CASE WHEN fired[i] THEN 1 ELSE ${sql.product(`CASE WHEN fired[k] THEN ${fired} ELSE ${other} END`)} END`
  const lists = sql.pairs(messageParts(pairs))
  const rows = (body: string, columns: readonly string[]) => sql.each(lists, 'pairs', body, columns)
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
  const {fieldNames, numbers, lists} = fieldsOf(reading)
  const prefixes = fieldNames.map(name => `${name}:`)
  const hasOther = reading.text.length === 0 || words.some(word => !prefixes.some(prefix => word.startsWith(prefix)))
  // A field without any was in no document, and need not be a column.
  const named = [...words, ...anchors.flatMap(({any, not}) => [...any, ...not])]
  const isUsed = (field: string) => named.some(name => name.startsWith(`${field}:`))
  const used = {
    ...reading,
    text: reading.text.filter(isUsed),
    category: reading.category.filter(isUsed),
    number: reading.number.filter((_, at) => isUsed(numbers[at].field)),
    list: lists.map(({name}) => name).filter(isUsed)
  }
  return [
    ...wordLists(sql, used, phrases).map(({column, list}) => ({
      list,
      needs: used.list.includes(column) ? `${column} (a list)` : column
    })),
    ...(hasOther ? [{list: sql.plainList('features'), needs: 'features (a list)'}] : [])
  ]
}
