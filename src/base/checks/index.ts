export {AdfaError, type ErrorCode, throwIfCancelled, unreachable} from './error.ts'
export {fileKind} from './file-kind.ts'
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
export {jsonFault} from './json-fault.ts'
export {type JsonSpan, jsonEntries, jsonValues} from './json-spans.ts'
export {isOneEdit, nearestName, nearestNames} from './nearest-name.ts'
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
