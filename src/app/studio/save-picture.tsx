import type {PictureRequest} from '../desk/index.ts'
import {Button} from './parts.tsx'
import {type PictureFormat, pictureFile} from './picture-file.ts'
import {saveFile} from './save-file.ts'
import type {Studio} from './store.ts'

/** Draw a picture and save it as a file. */
export async function savePicture(studio: Studio, request: PictureRequest, name: string, format: PictureFormat) {
  try {
    const svg = await studio.desk.picture(request)
    if (svg === undefined) return studio.say('This network is too dense to be drawn; its edges are in Export, as CSV')
    const file = await pictureFile(svg, name, format)
    saveFile(file)
    studio.say(`Saved ${file.name}`)
  } catch (error) {
    studio.say(error as Error)
  }
}

interface SavePictureProps {
  readonly studio: Studio
  readonly request: PictureRequest
  /** Of the file, without its ending. */
  readonly name: string
}

/** Beside a drawn picture. */
export function SavePicture({studio, request, name}: SavePictureProps) {
  return (
    <fieldset class="rowed save-picture">
      <legend class="unseen">Save the picture</legend>
      {(['svg', 'png'] as const).map(format => (
        <Button key={format} look="quiet" isLittle onClick={() => savePicture(studio, request, name, format)}>
          <span class="unseen">Save the picture as </span>
          {format.toUpperCase()}
        </Button>
      ))}
    </fieldset>
  )
}
