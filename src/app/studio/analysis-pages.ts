/** Pages that are read after the work on anchors: a script of their own, loaded with the first of them. */
export {ComparePage} from './pages/compare/compare-page.tsx'
export {EvaluatePage} from './pages/evaluate/evaluate-page.tsx'
export {GraphPage} from './pages/graph/graph-page.tsx'
