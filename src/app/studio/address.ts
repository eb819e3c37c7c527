import {effect} from '@preact/signals'
import {type PageName, pageNames, type Studio, type View} from './store.ts'

/** What the fragment of the address holds: the page, the number of the concept, and the key to files handed over. */
interface Address {
  readonly page: PageName
  /** From 1. */
  readonly concept: number | undefined
  readonly files: string | undefined
}

export function readAddress(fragment: string): Address {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''))
  const page = pageNames.find(name => name === fields.get('page')) ?? 'start'
  const number = Number(fields.get('concept') ?? Number.NaN)
  const concept = Number.isSafeInteger(number) && number > 0 ? number : undefined
  const key = fields.get('files')
  return {page, concept, files: key !== null && /^[0-9a-f]{32}$/.test(key) ? key : undefined}
}

/** Numbers and fixed names only: never a word of a document, nor the name of a concept. */
export function writeAddress({page, concept, files}: Address): string {
  const fields = new URLSearchParams({page})
  if (concept !== undefined) fields.set('concept', String(concept))
  if (files !== undefined) fields.set('files', files)
  return `#${fields}`
}

/** The address of a view, with concepts by their places in the project. */
export function addressOf({page, concept}: View, concepts: readonly string[], files: string | undefined): Address {
  const at = concept === undefined ? -1 : concepts.indexOf(concept)
  return {page, concept: at < 0 || page === 'start' || page === 'label' ? undefined : at + 1, files}
}

/** The page and the concept are in the fragment, so that Back goes back. */
export function followAddress(studio: Studio, files: string | undefined): void {
  const concepts = () => studio.project.value.anchors.map(({concept}) => concept)
  // After a reload no documents are open: other pages would be empty, while the files wait on Start.
  studio.go({page: 'start'})
  addEventListener('popstate', () => {
    const {page, concept} = readAddress(location.hash)
    studio.go({page, ...(concept === undefined ? {} : {concept: concepts()[concept - 1]})})
  })
  effect(() => {
    const next = writeAddress(addressOf(studio.view.value, concepts(), files))
    if (next === location.hash) return
    const isOtherPage = readAddress(next).page !== readAddress(location.hash).page
    if (isOtherPage) history.pushState(null, '', next)
    else history.replaceState(null, '', next)
  })
}
