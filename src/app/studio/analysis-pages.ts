/** Pages that are read after the work on anchors: a script of their own, loaded with the first of them. */
export {ComparePage} from './compare-page.tsx'
export {EvaluatePage} from './evaluate-page.tsx'
export {GraphPage} from './graph-page.tsx'
