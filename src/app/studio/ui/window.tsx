import type {ComponentChildren} from 'preact'
import {useId, useLayoutEffect, useRef} from 'preact/hooks'
import {Button} from './controls.tsx'

interface WindowProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** Covers the page. Esc closes it, and the focus returns to where it was. */
export function Window({title, onClose, children}: WindowProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Before a form inside takes the focus.
  useLayoutEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog class="window" ref={dialog} aria-labelledby={id} onClose={onClose}>
      <header>
        <h2 id={id}>{title}</h2>
        <Button look="quiet" isLittle onClick={() => dialog.current?.close()}>
          Close <kbd>Esc</kbd>
        </Button>
      </header>
      <div class="stack">{children}</div>
    </dialog>
  )
}
