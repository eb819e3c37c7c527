export {
  type CountedWords,
  countStatements,
  printCountSql,
  READY,
  refusalInSql,
  type SqlRelation
} from './count-statements.ts'
export {commentSql, type SqlDatabase, sqlDialects, type TextDialect, textDialects} from './dialects.ts'
export {wordLists} from './word-lists.ts'
