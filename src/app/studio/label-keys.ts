/** Keys that tick the concepts, in order; `s` and `u` are commands. */
export const TICK_KEYS = '123456789abcdefghijklmnopqrtvwxyz'

export type LabelAction =
  | {readonly kind: 'tick' | 'move'; readonly at: number}
  | {readonly kind: 'done' | 'yes' | 'no' | 'skip' | 'undo'}

/** The question on the screen, as far as keys need it: a short question has no ticks. */
export interface TickList {
  readonly isShort: boolean
  readonly ticks: number
  /** The tick that has the focus. */
  readonly at: number
  /** Ticks in one column. */
  readonly column: number
}

/** What a key does; undefined where it does nothing. */
export function labelAction(key: string, list: TickList): LabelAction | undefined {
  if (key === 's') return {kind: 'skip'}
  if (key === 'u') return {kind: 'undo'}
  if (list.isShort) return key === 'y' ? {kind: 'yes'} : key === 'n' ? {kind: 'no'} : undefined
  if (key === 'Enter') return {kind: 'done'}
  const to = moved(key, list)
  if (to !== undefined) return {kind: 'move', at: Math.max(0, Math.min(to, list.ticks - 1))}
  const at = key.length === 1 ? TICK_KEYS.indexOf(key) : -1
  return at >= 0 && at < list.ticks ? {kind: 'tick', at} : undefined
}

function moved(key: string, {at, ticks, column}: TickList): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return at + 1
    case 'ArrowUp':
      return at - 1
    case 'ArrowRight':
      return at + column < ticks ? at + column : at
    case 'ArrowLeft':
      return at - column >= 0 ? at - column : at
    case 'Home':
      return 0
    case 'End':
      return ticks - 1
    default:
      return undefined
  }
}
