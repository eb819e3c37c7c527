import type {ComponentChildren} from 'preact'
import {useEffect, useId, useRef} from 'preact/hooks'
import {Button} from './controls.tsx'

interface WindowProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  /** Buttons at the foot; the last is the next step. */
  readonly footer?: ComponentChildren
}

/** Covers the page. Esc closes it, and the focus returns to where it was. */
export function Window({title, onClose, children, footer}: WindowProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
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
      {footer ? <footer>{footer}</footer> : null}
    </dialog>
  )
}

/** Keys of a group, in the help: [keys, what they do]. */
export type KeyGroup = readonly [title: string, keys: readonly (readonly [keys: string, does: string])[]]

export function Keys({groups}: {groups: readonly KeyGroup[]}) {
  return (
    <dl class="keys">
      {groups.map(([title, keys]) => [
        <dt class="group" key={title}>
          {title}
        </dt>,
        <dd class="unseen" key={`${title} keys`}>
          {`${keys.length} keys`}
        </dd>,
        ...keys.map(([names, does]) => [
          <dt key={`${title} ${names}`}>
            {names.split(' ').map(name => (
              <kbd key={name}>{name}</kbd>
            ))}
          </dt>,
          <dd key={`${title} ${names} does`}>{does}</dd>
        ])
      ])}
    </dl>
  )
}
