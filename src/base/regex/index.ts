/** Regular expressions that match in linear time. */
export {createRegex, type Regex} from './regex.ts'
