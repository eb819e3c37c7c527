/**
 * The SQL that counts documents. The relation `documents` has one row per document: its number `doc`, and the text lists
 * `features` and `tags`. Two GROUP BYs do the work: documents by the anchors that fire in them, then words by these groups.
 *
 * Anchors fire by roles, small numbers that features of the same meaning share; the roles of a document are bits of as many
 * 32-bit columns as needed. So the state of a group has a fixed size, and DuckDB can put it on disk.
 * Words, tags and roles come from JavaScript as pairs of numbers: no text of a document is ever part of a statement.
 */

/** How many roles one column of bits holds. */
export const rolesPerColumn = 32

export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** `chosen`: all documents, or those that have enough of the tags in `tag_codes`. */
export function chooseDocuments(minTags: number | undefined): string[] {
  if (minTags === undefined) return ['CREATE OR REPLACE VIEW chosen AS SELECT * FROM documents']
  return [
    `CREATE OR REPLACE TABLE accepted AS
     SELECT doc
     FROM (SELECT doc, unnest(list_distinct(tags)) AS tag FROM documents)
     JOIN (SELECT tag FROM tags JOIN tag_codes ON tags.rowid = code) USING (tag)
     GROUP BY doc
     HAVING count(*) >= ${minTags}`,
    'CREATE OR REPLACE VIEW chosen AS SELECT * FROM documents SEMI JOIN accepted USING (doc)'
  ]
}

/** In how many documents each tag occurs. */
export const makeTags = `
  CREATE OR REPLACE TABLE tags AS
  SELECT tag, count(*) AS documents
  FROM (SELECT unnest(list_distinct(tags)) AS tag FROM documents)
  GROUP BY tag`

/** In how many chosen documents each feature occurs. */
export const makeTokens = `
  CREATE OR REPLACE TABLE tokens AS
  SELECT token, count(*) AS documents
  FROM (SELECT unnest(list_distinct(features)) AS token FROM chosen)
  GROUP BY token`

/** How many documents are chosen, how many features they list, and how many distinct ones. */
export const chosenTotals = `
  SELECT
    count(*)::DOUBLE,
    coalesce(sum(len(features)), 0)::DOUBLE,
    (SELECT coalesce(sum(documents), 0)::DOUBLE FROM tokens)
  FROM chosen`

/** The tokens in `role_codes` with the bit of their role. */
export function makeRoles(roleCount: number): string {
  const bits = bitColumns(roleCount).map(
    (name, at) =>
      `CASE WHEN role // ${rolesPerColumn} = ${at} THEN 1::UINTEGER << (role % ${rolesPerColumn}) ELSE 0 END::UINTEGER AS ${name}`
  )
  return `CREATE OR REPLACE TABLE roles AS SELECT token, ${bits.join(', ')} FROM tokens JOIN role_codes ON tokens.rowid = code`
}

/** The roles of each document that has any. */
export function makeFired(roleCount: number): string {
  const bits = bitColumns(roleCount).map(name => `bit_or(${name}) AS ${name}`)
  return `
    CREATE OR REPLACE TABLE fired AS
    SELECT doc, ${bits.join(', ')}
    FROM (SELECT doc, unnest(features) AS token FROM chosen)
    JOIN roles USING (token)
    GROUP BY doc`
}

/** The first GROUP BY: documents by the set of their roles. */
export const makeMasks = `
  CREATE OR REPLACE TABLE masks AS
  SELECT * EXCLUDE (doc), count(*) AS documents
  FROM fired
  GROUP BY ALL`

export function readMasks(roleCount: number): string {
  return `SELECT rowid::UINTEGER, documents::DOUBLE, ${bitColumns(roleCount).join(', ')} FROM masks`
}

/** The anchor pattern of each document in which anything fired, by `mask_patterns`. */
export function makeDocumentPatterns(roleCount: number): string {
  return `
    CREATE OR REPLACE TABLE document_patterns AS
    SELECT doc, pattern
    FROM fired
    JOIN (SELECT masks.*, pattern FROM masks JOIN mask_patterns ON masks.rowid = mask) USING (${bitColumns(roleCount).join(', ')})`
}

/** The second GROUP BY: words, by `word_codes`, in the documents of each pattern. */
export function countWords(otherPattern: number, areDistinct: boolean): string {
  return `
    SELECT pattern, word, count(*)::DOUBLE
    FROM (
      SELECT coalesce(pattern, ${otherPattern})::UINTEGER AS pattern, unnest(${areDistinct ? 'features' : 'list_distinct(features)'}) AS token
      FROM chosen LEFT JOIN document_patterns USING (doc)
    )
    JOIN (SELECT token, word FROM tokens JOIN word_codes ON tokens.rowid = code) USING (token)
    GROUP BY pattern, word
    ORDER BY pattern, word`
}

/** How many documents of each pattern have known tags. */
export function countKnown(otherPattern: number): string {
  return `
    SELECT coalesce(pattern, ${otherPattern})::UINTEGER AS pattern, count(*)::DOUBLE
    FROM chosen LEFT JOIN document_patterns USING (doc)
    WHERE tags IS NOT NULL
    GROUP BY 1`
}

/** How many documents of each pattern have each concept, by `concept_codes`, among their tags. */
export function countTagged(otherPattern: number): string {
  return `
    SELECT pattern, concept, count(*)::DOUBLE
    FROM (
      SELECT coalesce(pattern, ${otherPattern})::UINTEGER AS pattern, unnest(list_distinct(tags)) AS tag
      FROM chosen LEFT JOIN document_patterns USING (doc)
    )
    JOIN (SELECT tag, concept FROM tags JOIN concept_codes ON tags.rowid = code) USING (tag)
    GROUP BY pattern, concept`
}

/** For each prefix, whether any feature of any document begins with it. */
export function findPrefixes(prefixes: readonly string[]): string {
  const found = prefixes.map(prefix => `coalesce(bool_or(starts_with(token, ${quote(prefix)})), false)`)
  return `SELECT ${found.join(', ')} FROM (SELECT unnest(features) AS token FROM documents)`
}

function bitColumns(roleCount: number): string[] {
  return Array.from({length: Math.max(1, Math.ceil(roleCount / rolesPerColumn))}, (_, at) => `bits_${at}`)
}
