import type {ComponentType} from 'preact'
import {DocumentsPage} from './documents-page.tsx'
import {LabelPage} from './label-page.tsx'
import {Empty} from './parts.tsx'
import type {PageName, Studio} from './store.ts'

export interface PageProps {
  readonly studio: Studio
}

/** The pages in the order of work. */
export const pages: Readonly<Record<PageName, {readonly title: string; readonly Page: ComponentType<PageProps>}>> = {
  start: {title: 'Start', Page: () => <Empty title="Start">is not there yet.</Empty>},
  anchors: {title: 'Anchors', Page: () => <Empty title="Anchors">is not there yet.</Empty>},
  label: {title: 'Label', Page: LabelPage},
  documents: {title: 'Documents', Page: DocumentsPage}
}
