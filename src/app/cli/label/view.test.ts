import {describe, expect, it} from 'vitest'
import {testQuestion} from './test-label.ts'
import {type Key, type LabelAction, type LabelView, listed, openView, pressKey} from './view.ts'

const concepts = ['fever', 'cough', 'rash', 'asthma', 'dry cough']
const room = {listed: 4, column: 2, pages: 3}
const whole = openView(testQuestion({text: 'x'}), [0.1, 0.9, 0.2, 0.2, 0.05], new Set())
const short = openView(testQuestion({text: 'x'}, 2), [0.1, 0.9, 0.2, 0.2, 0.05], new Set())

/** Press keys one after another: characters, or names such as <up>. */
function press(view: LabelView, keys: string): LabelView | LabelAction {
  let now: LabelView | LabelAction = view
  for (const key of keys.match(/<[^>]+>|./g) ?? []) {
    if (typeof now === 'string') throw new Error(`a key after ${now}`)
    now = pressKey(now, keyOf(key), concepts, room)
  }
  return now
}

function keyOf(text: string): Key {
  if (text === '<ctrl-c>') return {name: 'c', ctrl: true, sequence: '\x03'}
  if (text === '<ctrl-z>') return {name: 'z', ctrl: true, sequence: '\x1a'}
  if (text === ' ') return {name: 'space', sequence: ' '}
  return text.length > 1 ? {name: text.slice(1, -1), sequence: '\x1b[x'} : {name: text.toLowerCase(), sequence: text}
}

function ticked(view: LabelView | LabelAction): string[] {
  return typeof view === 'string' ? [] : [...view.ticked].map(i => concepts[i])
}

it('openView(...) keeps the order of the concepts, unless they are more than keys, and ticks what is known', () => {
  expect(whole.order.map(i => concepts[i])).toEqual(concepts)
  const probabilities = Array.from({length: 31}, (_, i) => (i === 30 ? 0.9 : i === 7 ? 0.4 : 0.1))
  const {order, ticked} = openView(testQuestion({text: 'x'}), probabilities, new Set([1]))
  expect([order.slice(0, 4), [...ticked]]).toEqual([[30, 7, 0, 1], [1]])
})

describe('pressKey', () => {
  it('pressKey(...) ticks by digit and letter, and a second time takes the tick away', () => {
    expect(ticked(press(whole, '13'))).toEqual(['fever', 'rash'])
    expect(ticked(press(whole, '131'))).toEqual(['rash'])
    expect(ticked(press(whole, '5'))).toEqual([])
  })

  it('pressKey(...) moves by arrows, ticks with the space bar, and turns the list by pages', () => {
    expect(ticked(press(whole, '<down> '))).toEqual(['cough'])
    expect(ticked(press(whole, '<right> '))).toEqual(['rash'])
    expect(ticked(press(whole, '<up><left> '))).toEqual(['fever'])
    // The fifth concept is alone on the second page, where it has the first key.
    expect(ticked(press(whole, '<down><down><down><down><down>1'))).toEqual(['dry cough'])
  })

  it('pressKey(...) finds concepts by a part of their names', () => {
    const finding = press(whole, '/CO')
    if (typeof finding === 'string') throw new Error(finding)
    expect(listed(finding, concepts).map(i => concepts[i])).toEqual(['cough', 'dry cough'])
    expect(ticked(press(finding, '<down><return>'))).toEqual(['dry cough'])
    expect(press(finding, '<down><return>')).toMatchObject({find: undefined, cursor: 0})
    expect(ticked(press(whole, '/dry c<return>'))).toEqual(['dry cough'])
    expect(press(finding, '<escape>')).toEqual(whole)
    expect(press(finding, '<backspace>')).toMatchObject({find: 'C'})
    expect(press(whole, '/<backspace>')).toMatchObject({find: undefined})
    expect(press(whole, '/qqq<return>')).toMatchObject({find: 'qqq', ticked: new Set()})
  })

  it('pressKey(...) takes commands', () => {
    const commands = {
      '<return>': 'done',
      u: 'undo',
      s: 'skip',
      q: 'quit',
      '<ctrl-c>': 'interrupt',
      '<ctrl-z>': 'suspend'
    }
    for (const [key, action] of Object.entries(commands)) expect(press(whole, key)).toBe(action)
    expect(press(whole, '/<ctrl-c>')).toBe('interrupt')
    expect(press(whole, '?<ctrl-c>')).toBe('interrupt')
  })

  it('pressKey(...) takes y and n for a short question, and nothing that ticks', () => {
    expect(press(short, 'y')).toBe('yes')
    expect(press(short, 'n')).toBe('no')
    expect(press(short, '1 <return>')).toEqual(short)
    expect(press(whole, 'yn')).toEqual(whole)
  })

  it('pressKey(...) turns pages and stays within them', () => {
    expect(press(whole, '<pagedown>')).toMatchObject({page: 1})
    expect(press(whole, '>>>>')).toMatchObject({page: 2})
    expect(press(whole, '>>><pageup>')).toMatchObject({page: 1})
    expect(press(whole, '<pageup><')).toMatchObject({page: 0})
  })

  it('pressKey(...) shows help and intervals until any key, and keeps the ticks', () => {
    expect(press(whole, '1?')).toMatchObject({screen: 'help'})
    expect(press(whole, '1i')).toMatchObject({screen: 'intervals'})
    expect(press(whole, '1i2')).toEqual(press(whole, '1'))
    expect(press({...whole, screen: 'enough'}, 'q')).toBe('quit')
    expect(press({...whole, screen: 'enough'}, 'x')).toEqual(whole)
  })
})
