export {loadGraphviz} from './load-graphviz.ts'
