export {
  type CountQuery,
  commentSql,
  type SqlDatabase,
  type SqlDialect,
  sqlDialects,
  type TextDialect,
  textDialects
} from './dialects.ts'
export {printCountSql} from './print-count-sql.ts'
export {wordLists} from './word-lists.ts'
