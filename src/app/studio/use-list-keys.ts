import {useRef, useState} from 'preact/hooks'
import {focusSoon} from './focus.ts'
import {stepInList, TypeAhead} from './list-keys.ts'

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
