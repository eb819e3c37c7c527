import {effect} from '@preact/signals'
import {type PageName, pageNames, type Studio} from './store.ts'

/** What the fragment of the address holds, never a word of a document: the page, and the key to files handed over. */
interface Address {
  readonly page: PageName
  readonly files: string | undefined
}

export function readAddress(fragment: string): Address {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''))
  const page = pageNames.find(name => name === fields.get('page')) ?? 'start'
  const key = fields.get('files')
  return {page, files: key !== null && /^[0-9a-f]{32}$/.test(key) ? key : undefined}
}

export function writeAddress({page, files}: Address): string {
  return `#${new URLSearchParams({page, ...(files !== undefined && {files})})}`
}

/** The page is in the fragment, so that Back goes back. */
export function followAddress(studio: Studio, files: string | undefined): void {
  // After a reload no documents are open: other pages would be empty, while the files wait on Start.
  studio.go({page: 'start'})
  history.replaceState(null, '', writeAddress({page: 'start', files}))
  addEventListener('popstate', () => studio.go({page: readAddress(location.hash).page}))
  effect(() => {
    const next = writeAddress({page: studio.view.value.page, files})
    if (next !== location.hash) history.pushState(null, '', next)
  })
}
