import {useEffect, useRef, useState} from 'preact/hooks'

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

/** Closes a menu, or a part that lies over the page on narrow screens. */
export function closePopover(id: string): void {
  const popover = document.getElementById(id)
  if (popover?.matches(':popover-open')) popover.hidePopover()
}

/** Where letters are text, or keys have a meaning of their own. */
const TYPED = 'input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable], dialog'
export function isTyped(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TYPED) !== null
}

const PRESSED = 'button, a[href], summary, [role=button]'

/**
 * Keys of a page, while the page or something inside it has the focus, never while typing. `onKey` says whether it used the key.
 * Enter on a button or link is theirs, once; a key that is held down repeats only where `repeats` says so.
 */
export function usePageKeys(onKey: (key: string) => boolean, repeats: (key: string) => boolean = () => false): void {
  const latest = useRef({onKey, repeats})
  latest.current = {onKey, repeats}
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
      const target = event.target
      if (!(target instanceof Element) || (target !== document.body && target.closest('main') === null)) return
      if (isTyped(target) || document.querySelector('dialog[open]') !== null) return
      if (event.key === 'Enter' && target.closest(PRESSED) !== null) {
        if (event.repeat) event.preventDefault()
        return
      }
      if (event.repeat && !latest.current.repeats(event.key)) return
      if (latest.current.onKey(event.key)) event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** Where a key leads in a list that is one tab stop, with so many rows on the screen; undefined for keys that are none of the list's. */
export function stepInList(key: string, at: number, length: number, screen = 11): number | undefined {
  const page = Math.max(1, screen - 1)
  const targets = new Map([
    ['ArrowDown', at + 1],
    ['ArrowUp', at - 1],
    ['PageDown', at + page],
    ['PageUp', at - page],
    ['Home', 0],
    ['End', length - 1]
  ])
  const to = targets.get(key)
  return to === undefined || length === 0 ? undefined : Math.max(0, Math.min(to, length - 1))
}

/**
 * A list that is one tab stop: the row that had the focus last, or else the current one. Arrows, Home and End walk. `row` is the selector
 * of the link in a row, by its place from 0.
 */
export function useListKeys(length: number, current: number, row: (at: number) => string) {
  const [focused, setFocused] = useState<number>()
  const stop = focused !== undefined && focused < length ? focused : Math.max(0, current)
  // Keys may come faster than the page is drawn.
  const latest = useRef(stop)
  latest.current = stop
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const to = stepInList(event.key, latest.current, length)
    if (to === undefined) return
    event.preventDefault()
    latest.current = to
    setFocused(to)
    focusSoon(row(to))
  }
  return {stop, onKeyDown, onFocus: setFocused}
}
