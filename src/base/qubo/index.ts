export {type BinaryQuadratic, pairIndex} from './binary-quadratic.ts'
export {type BinaryMinimum, enumerateMinimum} from './enumerate-minimum.ts'
export {type LocalMinima, type SearchOptions, searchMinima} from './search-minima.ts'
