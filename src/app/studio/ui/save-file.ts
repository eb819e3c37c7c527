import type {ExportedFile, ExportKind, ListQuery} from '../../session/index.ts'
import type {Studio} from '../store.ts'

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
function fileName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}. _-]+/gu, '-').replace(/^[. -]+/, '') || 'adfa'
}

/** JSON as a file. */
export function saveText(text: string, name: string): void {
  saveFile({name, type: 'application/json', parts: [new TextEncoder().encode(text)]})
}

/** Ask the session for a file and save it; whether that went well. */
export async function exportFile(studio: Studio, what: ExportKind, query?: ListQuery): Promise<boolean> {
  try {
    const file = await studio.session.export(what, query)
    saveFile(file)
    studio.say(`Saved ${file.name}`)
    return true
  } catch (error) {
    studio.say(error as Error)
    return false
  }
}
