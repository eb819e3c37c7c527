export type {Loadings} from './loadings.ts'
