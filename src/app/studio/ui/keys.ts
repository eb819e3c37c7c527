import {useEffect, useRef, useState} from 'preact/hooks'
import {focusSoon} from './focus.ts'

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
  const to = target(key, at, length, Math.max(1, screen - 1))
  return to === undefined || length === 0 ? undefined : Math.max(0, Math.min(to, length - 1))
}

function target(key: string, at: number, length: number, page: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return at + 1
    case 'ArrowUp':
      return at - 1
    case 'PageDown':
      return at + page
    case 'PageUp':
      return at - page
    case 'Home':
      return 0
    case 'End':
      return length - 1
    default:
      return undefined
  }
}

/** What was typed within this many milliseconds belongs together. */
const PAUSE = 700

/**
 * Finds a name by its first letters as they are typed. One letter again and again walks through the names that begin with it.
 * Times come with the keys.
 */
export class TypeAhead {
  #typed = ''
  #last = Number.NEGATIVE_INFINITY

  /** The place of the name, looking onwards from the current one and round the end; undefined where none begins so. */
  find(key: string, time: number, at: number, names: readonly string[]): number | undefined {
    if ([...key].length !== 1 || (key === ' ' && this.#typed === '')) return undefined
    const before = time - this.#last > PAUSE ? '' : this.#typed
    this.#last = time
    this.#typed = before + key.toLowerCase()
    const isRepeated = [...this.#typed].every(letter => letter === key.toLowerCase())
    const wanted = isRepeated ? key.toLowerCase() : this.#typed
    // A longer beginning may still be that of the name at hand.
    const from = isRepeated ? at + 1 : at
    for (let step = 0; step < names.length; step++) {
      const place = (from + step) % names.length
      if (names[place].toLowerCase().startsWith(wanted)) return place
    }
    return undefined
  }
}

/**
 * A list that is one tab stop: the row that had the focus last, or else the current one. Arrows, Home, End and letters walk. `row` is the
 * selector of the link in a row, by its place from 0.
 */
export function useListKeys(names: readonly string[], current: number, row: (at: number) => string) {
  const [focused, setFocused] = useState<number>()
  const ahead = useRef(new TypeAhead())
  const stop = focused !== undefined && focused < names.length ? focused : Math.max(0, current)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const to = stepInList(event.key, stop, names.length) ?? ahead.current.find(event.key, event.timeStamp, stop, names)
    if (to === undefined) return
    event.preventDefault()
    setFocused(to)
    focusSoon(row(to))
  }
  return {stop, onKeyDown, onFocus: setFocused}
}
