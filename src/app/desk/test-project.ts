import type {Project} from './project.ts'

export const emptyProject: Project = {name: 'test', reading: {text: []}, anchors: [], fit: {}, labels: []}
