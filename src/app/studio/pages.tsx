import type {ComponentType} from 'preact'
import {AnchorsPage} from './anchors-page.tsx'
import {DocumentsPage} from './documents-page.tsx'
import {EvaluatePage} from './evaluate-page.tsx'
import {GraphPage} from './graph-page.tsx'
import {LabelPage} from './label-page.tsx'
import {StartPage} from './start-page.tsx'
import type {PageName, PageProps} from './store.ts'

/** The pages in the order of work. */
export const pages: Readonly<Record<PageName, {readonly title: string; readonly Page: ComponentType<PageProps>}>> = {
  start: {title: 'Start', Page: StartPage},
  anchors: {title: 'Anchors', Page: AnchorsPage},
  label: {title: 'Label', Page: LabelPage},
  documents: {title: 'Documents', Page: DocumentsPage},
  graph: {title: 'Graph', Page: GraphPage},
  evaluate: {title: 'Evaluate', Page: EvaluatePage}
}
