import type {ComponentType} from 'preact'
import {useEffect, useState} from 'preact/hooks'
import {AnchorsPage} from './pages/anchors/anchors-page.tsx'
import {DocumentsPage} from './pages/documents/documents-page.tsx'
import {LabelPage} from './pages/label/label-page.tsx'
import {StartPage} from './pages/start/start-page.tsx'
import type {PageName} from './store.ts'

type AnalysisPages = typeof import('./analysis-pages.ts')

let loaded: AnalysisPages | undefined

/** A page of the second script, which is loaded when one of its pages is opened for the first time. */
function analysisPage(name: keyof AnalysisPages): ComponentType {
  return function AnalysisPage(props) {
    const [words, setWords] = useState<string | undefined>(loaded === undefined ? 'Loading …' : undefined)
    useEffect(() => {
      if (loaded !== undefined) return
      import('./analysis-pages.ts').then(
        pages => {
          loaded = pages
          setWords(undefined)
        },
        () => setWords('This page cannot be loaded. Save the project, start adfa studio again and open it there.')
      )
    }, [])
    const Page = loaded?.[name]
    return Page === undefined ? <p class="empty soft">{words}</p> : <Page {...props} />
  }
}

/** The pages in the order of work. */
export const pages: Readonly<Record<PageName, {readonly title: string; readonly Page: ComponentType}>> = {
  start: {title: 'Start', Page: StartPage},
  anchors: {title: 'Anchors', Page: AnchorsPage},
  label: {title: 'Label', Page: LabelPage},
  documents: {title: 'Documents', Page: DocumentsPage},
  graph: {title: 'Graph', Page: analysisPage('GraphPage')},
  evaluate: {title: 'Evaluate', Page: analysisPage('EvaluatePage')},
  compare: {title: 'Compare', Page: analysisPage('ComparePage')}
}
