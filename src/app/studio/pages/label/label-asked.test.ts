import {describe, expect, it} from 'vitest'
import {labelAction, TICK_KEYS} from './label-asked.tsx'

const list = {isShort: false, ticks: 23, at: 0}

describe('labelAction', () => {
  it('ticks by 1 to 9 and a to n for 23 concepts', () => {
    expect(labelAction('1', list)).toEqual({kind: 'tick', at: 0})
    expect(labelAction('a', list)).toEqual({kind: 'tick', at: 9})
    expect(labelAction('n', list)).toEqual({kind: 'tick', at: 22})
    expect(labelAction('o', list)).toBeUndefined()
  })

  it('has a key of its own for every tick, and none for commands', () => {
    expect(new Set(TICK_KEYS).size).toBe(TICK_KEYS.length)
    expect(TICK_KEYS).not.toMatch(/[su?/]/)
    expect(labelAction('s', {...list, ticks: 40})).toEqual({kind: 'skip'})
    expect(labelAction('u', {...list, ticks: 40})).toEqual({kind: 'undo'})
    expect(labelAction('0', {...list, ticks: 40})).toBeUndefined()
  })

  it('walks and stops at the ends', () => {
    expect(labelAction('ArrowDown', list)).toEqual({kind: 'move', at: 1})
    expect(labelAction('ArrowUp', list)).toEqual({kind: 'move', at: 0})
    expect(labelAction('End', list)).toEqual({kind: 'move', at: 22})
  })
})
