import {StateMark} from './parts.tsx'

/** Until those of the last edit are there. */
export function OldFigures() {
  return (
    <>
      <StateMark stage={{is: 'old'}} /> From before your last change.
    </>
  )
}
