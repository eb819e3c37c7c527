export type {PageName, Studio, View} from './store.ts'
