import {useEffect, useState} from 'preact/hooks'

/** Arithmetic of a list of which only the rows on the screen exist. Rows have one height. */

/** Rows from `from` up to but not including `to`. */
export interface RowRange {
  readonly from: number
  readonly to: number
}

/** What of a list is visible, in pixels. */
interface Viewport {
  readonly top: number
  readonly height: number
  readonly row: number
}

/** Rows above and below the visible ones; ranges begin at multiples of it, so that few scroll events change them. */
const MARGIN = 4

export function visibleRows({top, height, row}: Viewport, total: number): RowRange {
  const first = Math.floor(top / row)
  const last = Math.ceil((top + height) / row)
  const from = Math.floor(first / MARGIN - 1) * MARGIN
  const to = Math.ceil(last / MARGIN + 1) * MARGIN
  return {from: Math.max(0, Math.min(from, total)), to: Math.max(0, Math.min(to, total))}
}

/** Where to scroll so that a row is visible: as little as possible. */
export function topToShow(at: number, {top, height, row}: Viewport): number {
  if (at * row < top) return at * row
  return (at + 1) * row > top + height ? Math.max(0, (at + 1) * row - height) : top
}

/** More than fit on a screen. */
const SLICE = 40

/** How many rows of a long list to draw: a screenful at first, and a slice more after each drawing, so that none takes long. */
export function useSliced(total: number): number {
  const [drawn, setDrawn] = useState(SLICE)
  useEffect(() => {
    if (drawn >= total) return
    const timer = setTimeout(() => setDrawn(drawn + SLICE))
    return () => clearTimeout(timer)
  }, [drawn, total])
  return Math.min(drawn, total)
}
