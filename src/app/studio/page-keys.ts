import {useEffect, useRef} from 'preact/hooks'

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
