import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {withFlags} from './common-options.ts'
import {COMMANDS, createProgram, OPTION_GROUPS} from './run.ts'
import {adfa, adfaDone, generateSmall, refused, testFolder} from './test-run.ts'

const folder = testFolder()
const {commands} = await createProgram()
const grouped = COMMANDS.map(([name]) => name)

describe('adfa --help', () => {
  test('lists every command in a group and has examples; without a command it is bad usage', async () => {
    const help = await adfaDone`--help`
    for (const name of grouped) expect(help).toMatch(new RegExp(`^ {2}${name} .*\\S`, 'm'))
    expect(help).toMatch(/^Examples:\n {2}adfa init/m)
    expect([await adfaDone`help`, await adfaDone`-h`]).toEqual([help, help])
    expect(await adfa()).toEqual(refused(2, /^Usage: adfa /))
    expect(commands.map(command => command.name())).toEqual(grouped)
    const long = commands.map(command => command.summary()).filter(({length}) => length === 0 || length > 60)
    expect(long).toEqual([])
  })

  test.each(grouped)('adfa %s --help has a description, its options and examples', async name => {
    const help = await adfaDone`${name} --help`
    expect(help).toMatch(new RegExp(`^Usage: adfa ${name} `))
    expect(help).toMatch(/^ {2}--quiet /m)
    expect(help).toMatch(new RegExp(`^Examples?:\\n(.*\\n)* {2}adfa ${name}`, 'm'))
  })

  test('adfa fit --help shows the defaults that hold, and the groups in order with few options under "Most used:"', async () => {
    const help = await adfaDone`fit --help`
    for (const text of ['default: 3000', 'default: 0.5', 'default: 200', 'robust: 10/N', 'default: "robust"'])
      expect(help.replace(/\s+/g, ' ')).toContain(text)
    const headings = OPTION_GROUPS.map(([heading]) => heading)
    const printed = help.split('\n').filter(line => headings.includes(line))
    expect(printed).toEqual(headings.filter(heading => printed.includes(heading)))
    const [, mostUsed] = /^Most used:\n(.*?)\n\n/ms.exec(help) ?? []
    const options = mostUsed.split('\n').filter(line => /^ {2}-/.test(line))
    expect(options.length).toBeGreaterThan(3)
    expect(options.length).toBeLessThanOrEqual(10)
  })

  // Those that no other command's help would group: they come first, under "Most used:".
  const own: Readonly<Record<string, string>> = {
    init: 'concepts yes column force',
    run: 'force model report tagged',
    suggest: 'for top no-names',
    label: 'documents anchored enough sheet from-sheet force',
    predict: 'top threshold only-tags sql hide-anchors known',
    explain: 'id concept hide-anchors known',
    evaluate: 'train baselines reliability threshold',
    compare: 'renamed',
    report: 'counts data train baselines title date',
    studio: 'port no-open save force',
    count: 'protocol shard',
    export: 'to counts max-parents',
    generate: 'documents truth concepts words-per-document'
  }

  test('every option has a group in the help, or is listed here as an option of one command', () => {
    const flags = OPTION_GROUPS.flatMap(([, names]) => names.split(' '))
    expect(flags).toHaveLength(new Set(flags).size)
    const lost = commands.flatMap(command => {
      const listed = [...flags, ...(own[command.name()]?.split(' ') ?? [])]
      return command.options
        .filter(({hidden, long}) => !hidden && !listed.includes(long?.slice(2) ?? ''))
        .map(({long}) => `${command.name()} ${long}`)
    })
    expect(lost, 'add it to OPTION_GROUPS').toEqual([])
  })

  test('no option has its default twice, or an empty list as default, in the help of any command', () => {
    for (const command of commands) {
      const help = command.createHelp()
      for (const option of help.visibleOptions(command)) {
        const text = help.optionDescription(option)
        expect([option.long, text.match(/default:/g)?.length ?? 0]).not.toEqual([option.long, 2])
        expect(text).not.toMatch(/default: (\[|undefined)|preset: /)
      }
    }
  })

  test('adfa --version is that of package.json', async () => {
    const {version} = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
    expect(await adfaDone`--version`).toBe(`${version}\n`)
  })
})

describe('adfa, bad usage', () => {
  test.each([
    ['fitt', /unknown command 'fitt'\n\(Did you mean fit\?\)/],
    ['fit x.jsonl --anchor a.json -o none', /unknown option '--anchor'\n\(Did you mean --anchors\?\)/],
    ['fit x.jsonl', /required option '-o, --output <file>' not specified/],
    [
      'fit -o none',
      /adfa fit needs documents, and there is no adfa\.json that names them \(is this the right folder\?\)/
    ],
    ['predict', /adfa predict needs a model.*adfa init/],
    ['evaluate m.json', /adfa evaluate needs documents/],
    ['generate -o none', /missing required argument 'kind'/],
    ['demo moon', /'moon' is invalid for argument 'corpus'. Allowed choices are npm, emergency/],
    ['fit x.jsonl --preset papr -o none', /'papr' is invalid. Allowed choices are paper, robust/],
    ['fit x.jsonl --shrinkage strong -o none', /a shrinkage is a number >= 0, or C\/N with C >= 0, such as 10\/N/],
    ['fit x.jsonl --seed -1 -o none', /'-1' is invalid. It must be a whole number/],
    ['count x.jsonl --max-share 50% -o none', /'50%' is invalid. It must be a share from 0 to 1/],
    ['count x.jsonl --text title,,text -o none', /It must be a list of names, separated by commas/],
    ['predict m.json x.jsonl --top 0', /'0' is invalid. It must be a whole number above 0/]
  ])('adfa %s exits 2 with the rule', async (line, message) => {
    expect(await adfa(...line.split(' '))).toEqual(refused(2, message))
  })
})

test('withFlags(...) turns option names in backticks into flags of the command, and leaves other names', () => {
  const count = commands.find(command => command.name() === 'count')
  expect(withFlags('give `labelShare` or `anchors`', count)).toBe('give --label-share or --anchors')
  expect(withFlags("use `engine` 'duckdb'", count)).toBe('use --engine duckdb')
  expect(withFlags('`wordModel` and `keepCase`', count)).toBe('--words and --keep-case')
  expect(withFlags("use `noise` 'auto', not `wordSigmas`", count)).toBe("use noise 'auto', not wordSigmas")
  expect(withFlags('`labelShare` is 1', undefined)).toBe('labelShare is 1')
})

test('run(...) takes its listeners away again', async () => {
  const listeners = () => ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit'].map(event => process.listenerCount(event))
  const before = [...listeners(), process.stdout.listenerCount('error')]
  await adfa`fit`
  await generateSmall(folder, 20)
  expect([...listeners(), process.stdout.listenerCount('error')]).toEqual(before)
})
