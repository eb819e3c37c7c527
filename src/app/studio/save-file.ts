import type {ExportedFile} from '../desk/index.ts'

/** Hand a file to the browser, which asks where to keep it or puts it among the downloads. */
export function saveFile({name, type, parts}: ExportedFile): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(
    new Blob(
      parts.map(part => new Uint8Array(part)),
      {type}
    )
  )
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
