import {AdfaError} from '../../base/checks/index.ts'
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
import {type Dialect, dialectOf, type Entry, type SqlDatabase} from './sql-dialects.ts'
import {tokensInSql} from './sql-tokens.ts'

/**
 * A query that scores the documents of the table `documents` as `createPredictor` does, with all numbers of the model in it.
 * Only sums of weights need to be computed, so it is linear in the words of the documents.
 */
export function scoreSql(model: Model, database: SqlDatabase, threshold: number): string {
  const {wordModel, concepts, lexicon} = model
  if (wordModel.kind !== 'weights')
    throw refusal('predicts by noisy-or links, which need inference per document', 'fit it with `words` weights')
  if (lexicon.text.negation) throw refusal('reads negation, which SQL cannot follow', 'fit it without `negation`')
  const sql = dialectOf(database)
  const {entries, phrases} = readEntries(model, wordModel)
  const lists = featureLists(model, sql, phrases)
  const names = concepts.map(({name}) => name)
  const {typical, power} = wordModel.length
  const id = sql.identifier(keyFields(lexicon.text).id)
  const sums = sql.sums(concepts.length)
  const columns = names.map(
    (name, i) =>
      `p${i + 1} AS ${sql.identifier([keyFields(lexicon.text).id, ...OWN].includes(name) ? `${name} (adfa)` : name)}`
  )
  return `-- Scores the rows of the table documents, which needs the columns ${id} (unique), ${lists.map(({needs}) => needs).join(', ')}.
-- ${sql.hint}
SELECT id AS ${id}, ${sql.tags(names, threshold)} AS tags, ${columns.join(', ')}
FROM (
  SELECT
    id,
    ${names.map((_, i) => `${probability(sql, wordModel, i)} AS p${i + 1}`).join(',\n    ')}
  FROM (
    SELECT id, ${Object.keys(sums).join(', ')}, ${sql.fired(concepts.length)} AS fired, pow(greatest(n, 1) / ${typical}, ${-power}) AS factor
    FROM (
      SELECT id, ${Object.entries(sums)
        .map(([name, sum]) => `${sum} AS ${name}`)
        .join(', ')}
      FROM (SELECT ${id} AS id, ${sql.explode(sql.concat(lists.map(({list}) => list)))} AS feature FROM documents)
      ${sql.lookUp} (${sql.table(entries)}
      ) USING (feature)
      GROUP BY id
    )
  )
)
ORDER BY id
`
}

/** Names of columns that concepts cannot have. */
const OWN: readonly string[] = ['id', 'tags']

function refusal(what: string, wayOut: string): AdfaError {
  return new AdfaError('bad-option', `this model ${what}, so no query can score documents with it; ${wayOut}`)
}

/** The probability of a concept: log-odds as in `WeightReader`. */
function probability(sql: Dialect, wordModel: WordWeights, i: number): string {
  const {company, withWords, firedShare} = wordModel
  const {silentAnchor, firedAnchor, prior} = company
  const words = `factor * ${sql.sum(i + 1)}`
  const silent = silentAnchor[i].reduce((sum, say) => sum + say, prior[i]) + withWords.silent[i]
  const others = sql.sumFired(firedAnchor[i].map((say, k) => say - silentAnchor[i][k]))
  const odds = `CASE WHEN ${sql.hasFired(i + 1)} THEN ${withWords.fired[i]} + ${firedShare} * ${words} ELSE ${silent} + ${others} + ${words} END`
  return `1 / (1 + exp(-(${odds})))`
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
