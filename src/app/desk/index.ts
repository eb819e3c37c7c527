export type {DeskApi, DeskEvent, DeskState, SourceFile} from './desk-api.ts'
export type {Project, Reading} from './project.ts'
