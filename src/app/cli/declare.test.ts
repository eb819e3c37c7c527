import {Command} from 'commander'
import {expect, test} from 'vitest'
import {addCommand, required} from './declare.ts'

test('addCommand(...) reads name, summary, description, arguments, options and the text below them', () => {
  const program = new Command().exitOverride()
  const rules = {kind: ['red', 'blue'], output: required, share: {read: Number, preset: 0.5}, to: ['a', 'b']}
  const command = addCommand(program, rules)`
paint: paint a wall
Paint a wall, or ${'two'},
from left to right.
  <kind>               colour
  -o, --output <file>  file to write
  --share <p>          how much of it, or
      nothing
  --to <side>          where  to
  --no-frame           without a frame

Examples:
  adfa paint red`
  expect([command.name(), command.summary()]).toEqual(['paint', 'paint a wall'])
  expect(command.description()).toBe('Paint a wall, or two, from left to right.')
  expect(command.registeredArguments.map(({argChoices, description}) => [argChoices, description])).toEqual([
    [['red', 'blue'], 'colour']
  ])
  expect(command.options.map(({flags, description, mandatory}) => [flags, description, mandatory])).toEqual([
    ['-o, --output <file>', 'file to write', true],
    ['--share <p>', 'how much of it, or nothing', false],
    ['--to <side>', 'where  to', false],
    ['--no-frame', 'without a frame', false]
  ])
  command.parse(['red', '-o', 'x', '--to', 'b'], {from: 'user'})
  expect(command.opts()).toEqual({output: 'x', share: 0.5, to: 'b', frame: true})
  expect(command.options[2].argChoices).toEqual(['a', 'b'])
})

test('addCommand(...) tells where the model stands to those who look for --model, and help does not list it', () => {
  const program = new Command().exitOverride()
  const command = addCommand(program)`
score: score documents
Score documents with a model.
  <model>    a model file
  [docs...]  documents

Examples:
  adfa score model.json new.csv`
  expect(() => command.parse(['new.csv', '--model', 'm.json'], {from: 'user'})).toThrow(
    'there is no option --model; the model comes first: adfa score m.json DOCUMENTS'
  )
  expect(command.helpInformation()).not.toContain('--model')
})
