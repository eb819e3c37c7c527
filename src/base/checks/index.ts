export {AdfaError, type ErrorCode, fileKind, throwIfCancelled, unreachable} from './error.ts'
export {
  arrayAt,
  booleanAt,
  distinctAt,
  fieldsAt,
  type JsonObject,
  numberAt,
  numbersAt,
  objectAt,
  parseJson,
  type ReadAt,
  shownValue,
  textAt,
  textsAt,
  wholeAt
} from './json.ts'
export {type JsonSpan, jsonEntries, jsonFault, jsonValues} from './json-text.ts'
export {isSpellingVariant, nearestName, nearestNames} from './nearest-name.ts'
export {
  above,
  atLeast,
  badOption,
  checkOptions,
  oneOf,
  optional,
  type Rule,
  type Rules,
  trueOrFalse,
  whole,
  withDefaults,
  within
} from './options.ts'
