import {Button, Meter} from './parts.tsx'
import type {Studio} from './store.ts'

/** What runs, how far it is, and its stop. */
export function Working({studio, what}: {studio: Studio; what: string}) {
  const {words = 'at work', share} = studio.progress.value ?? {}
  return (
    <span class="rowed">
      <span class="state computing">{words}</span>
      {share === undefined ? null : <Meter share={share} />}
      <Button isLittle onClick={() => studio.desk.cancel().catch(studio.say)}>
        Stop<span class="unseen"> {what}</span>
      </Button>
    </span>
  )
}
