import type {ComponentType} from 'preact'
import {AnchorsPage} from './anchors-page.tsx'
import {Empty} from './parts.tsx'
import {StartPage} from './start-page.tsx'
import type {PageName, PageProps} from './store.ts'

/** The pages in the order of work. */
export const pages: Readonly<Record<PageName, {readonly title: string; readonly Page: ComponentType<PageProps>}>> = {
  start: {title: 'Start', Page: StartPage},
  anchors: {title: 'Anchors', Page: AnchorsPage},
  label: {title: 'Label', Page: () => <Empty title="Label">is not there yet.</Empty>},
  documents: {title: 'Documents', Page: () => <Empty title="Documents">is not there yet.</Empty>}
}
