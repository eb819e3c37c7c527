/** Searches that the presets do not need. Only `loadSearches` imports this, so that bundlers keep them apart. */
export {independenceTest} from './independence-test.ts'
export {searchDegree} from './search-degree.ts'
export {searchInteger} from './search-integer.ts'
