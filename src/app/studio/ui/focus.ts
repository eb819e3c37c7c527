import type {RefObject} from 'preact'
import {useEffect, useRef} from 'preact/hooks'

/** Puts the focus on the first of these that can be seen, once the page shows the change at hand. */
export function focusSoon(...selectors: readonly string[]): void {
  requestAnimationFrame(() => {
    for (const selector of selectors) {
      const found = document.querySelector<HTMLElement>(selector)
      if (found?.checkVisibility() !== true) continue
      found.focus()
      return
    }
  })
}

/** Of the control that has the focus when its form opens. */
export function useFirstFocus<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null)
  useEffect(() => ref.current?.focus(), [])
  return ref
}
