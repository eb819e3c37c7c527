export {counted, firstNames, grouped, listed, nameList, percent} from './text.ts'
