import type {ExportedFile, PictureRequest} from '../desk/index.ts'
import type {Studio} from './store.ts'

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

export function saveJson(value: unknown, name: string): void {
  saveText(`${JSON.stringify(value, null, 2)}\n`, name, 'application/json')
}

/** Save a picture of the drawing thread. */
export async function savePicture({desk, say}: Studio, request: PictureRequest, name: string): Promise<void> {
  try {
    saveText((await desk.picture(request)) ?? '', name, 'image/svg+xml')
  } catch (error) {
    say(error as Error)
  }
}

function saveText(text: string, name: string, type: string): void {
  saveFile({name, type, parts: [new TextEncoder().encode(text)]})
}
