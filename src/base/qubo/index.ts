export {
  type BinaryCubic,
  type BinaryQuadratic,
  cubicValue,
  pairIndex,
  quadraticValue,
  tripleIndex
} from './binary-function.ts'
export {type BinaryMinimum, ENUMERATION_LIMIT, enumerateCubic, enumerateMinimum} from './enumerate-minimum.ts'
export {type MinimizeOptions, minimizeQuadratic, type QuadraticMinimum} from './minimize-quadratic.ts'

export {localValue, type RoofDual, roofDual} from './roof-dual.ts'
export {type LocalMinima, type SearchOptions, searchCubic, searchMinima} from './search-minima.ts'
