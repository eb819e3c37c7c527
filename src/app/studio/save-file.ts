import type {ExportedFile} from '../desk/index.ts'

/** Milliseconds until the browser has surely begun to copy the file. */
const COPIED = 60_000

/** Hand a file to the reader, as a download. */
export function saveFile({name, type, parts}: ExportedFile): void {
  const address = URL.createObjectURL(new Blob([...(parts as readonly BlobPart[])], {type}))
  const link = document.createElement('a')
  link.href = address
  link.download = fileName(name)
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), COPIED)
}

/** A name that every system takes. */
export function fileName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}. _-]+/gu, '-').replace(/^[. -]+/, '') || 'adfa'
}
