/** Pages that are read after the work on anchors: a script of their own, loaded with the first of them. */
export {GraphPage} from './graph-page.tsx'
