import {useEffect, useState} from 'preact/hooks'

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
