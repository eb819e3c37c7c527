import {Button} from './parts.tsx'
import {sentence} from './sentence.ts'
import type {Studio} from './store.ts'

/** Begins the fit that waits. */
export function FitButton({studio}: {studio: Studio}) {
  return (
    <Button isLittle onClick={() => studio.desk.fit().catch(studio.say)}>
      Fit now
    </Button>
  )
}

/** Why numbers are not computed by themselves, with the button for it. */
export function FitNow({studio}: {studio: Studio}) {
  const {waits} = studio.state.value
  if (waits === undefined) return null
  return (
    <div class="say know fit-now">
      <p>{sentence(waits)}</p>
      <FitButton studio={studio} />
    </div>
  )
}
