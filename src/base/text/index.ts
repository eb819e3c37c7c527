export {counted, grouped, listed, nameList, percent} from './text.ts'
