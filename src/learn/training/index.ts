export {chooseWords, type WordChoice} from './choose-words.ts'
