export {drawVisits} from './emergency.ts'
export {writePackages} from './npm.ts'
export {corpusPath} from './plan.ts'
