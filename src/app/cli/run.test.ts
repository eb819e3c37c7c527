import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {withFlags} from './common-options.ts'
import {COMMAND_GROUPS, OPTION_GROUPS} from './help-groups.ts'
import {createProgram} from './run.ts'
import {adfa, generateSmall, testFolder} from './test-run.ts'

const folder = testFolder()
const commands = ['demo', 'count', 'merge', 'fit', 'predict', 'evaluate', 'generate']

describe('adfa --help', () => {
  test('adfa --help lists every command and has examples', async () => {
    const {code, stdout, stderr} = await adfa('--help')
    expect([code, stderr]).toEqual([0, ''])
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^ {2}${command} .*\\S`, 'm'))
    expect(stdout).toMatch(/^Examples:\n {2}adfa init/m)
    expect(await adfa('help')).toEqual({code, stdout, stderr})
    expect(await adfa('-h')).toEqual({code, stdout, stderr})
  })

  test.each(commands)('adfa %s --help has a description, its options and examples', async command => {
    const {code, stdout, stderr} = await adfa(command, '--help')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(new RegExp(`^Usage: adfa ${command} `))
    expect(stdout).toMatch(new RegExp(`^Examples?:\\n {2}adfa ${command}`, 'm'))
    for (const option of ['--json', '--quiet', '--seed']) expect(stdout).toMatch(new RegExp(`^ {2}${option}[ <]`, 'm'))
    expect(await adfa('help', command)).toEqual({code, stdout, stderr})
  })

  test('adfa --help shows the defaults that hold', async () => {
    const {stdout} = await adfa('fit', '--help')
    for (const text of ['default: 1000', 'default: 0.5', 'default: 200', 'robust: 10/N', 'default: "robust"'])
      expect(stdout.replace(/\s+/g, ' ')).toContain(text)
  })

  test('adfa --help has every command in a group, with a summary of at most 60 characters', async () => {
    const grouped = COMMAND_GROUPS.flatMap(([, names]) => names.split(' '))
    const {commands} = await createProgram()
    expect(commands.map(command => command.name())).toEqual(grouped)
    const long = commands.map(command => command.summary()).filter(({length}) => length === 0 || length > 60)
    expect(long).toEqual([])
  })

  test('adfa fit --help prints the groups in order, with at most ten options under "Most used:"', async () => {
    const {stdout} = await adfa('fit', '--help')
    const headings = OPTION_GROUPS.map(([heading]) => heading)
    const printed = stdout.split('\n').filter(line => headings.includes(line))
    expect(printed).toEqual(headings.filter(heading => printed.includes(heading)))
    expect(printed).toEqual(
      expect.arrayContaining(['Most used:', 'Input:', 'Model:', 'Words:', 'Advanced:', 'Output:'])
    )
    const [, mostUsed] = /^Most used:\n(.*?)\n\n/ms.exec(stdout) ?? []
    const options = mostUsed.split('\n').filter(line => /^ {2}-/.test(line))
    expect(options.length).toBeGreaterThan(3)
    expect(options.length).toBeLessThanOrEqual(10)
  })

  // Those that no other command's help would group: they come first, under "Most used:".
  const own: Readonly<Record<string, string>> = {
    init: 'concepts yes column force',
    run: 'force model report tagged',
    suggest: 'for top no-names apply yes',
    label: 'documents anchored enough sheet from-sheet force',
    predict: 'top threshold only-tags sql hide-anchors known',
    explain: 'id concept svg hide-anchors known',
    evaluate: 'train baselines reliability threshold',
    compare: 'renamed',
    report: 'counts data train baselines title date',
    studio: 'port no-open save force',
    count: 'protocol shard',
    protocol: 'name',
    export: 'to counts max-parents',
    generate: 'documents truth concepts words-per-document'
  }

  test('every option has a group in the help, or is listed here as an option of one command', async () => {
    const grouped = OPTION_GROUPS.flatMap(([, flags]) => flags.split(' '))
    expect(grouped).toHaveLength(new Set(grouped).size)
    const lost = (await createProgram()).commands.flatMap(command => {
      const listed = [...grouped, ...(own[command.name()]?.split(' ') ?? [])]
      return command.options
        .filter(({hidden}) => !hidden)
        .map(({long}) => long?.slice(2) ?? '')
        .filter(name => !listed.includes(name))
        .map(name => `${command.name()} --${name}`)
    })
    expect(lost, 'add it to OPTION_GROUPS').toEqual([])
  })

  test('no option has its default twice, or an empty list as default, in the help of any command', async () => {
    for (const command of (await createProgram()).commands) {
      const help = command.createHelp()
      for (const option of help.visibleOptions(command)) {
        const text = help.optionDescription(option)
        expect([command.name(), option.long, text.match(/default:/g)?.length ?? 0]).toEqual([
          command.name(),
          option.long,
          text.includes('default:') ? 1 : 0
        ])
        expect(text).not.toMatch(/default: (\[|undefined)|preset: /)
      }
    }
  })

  test('adfa without a command shows the help as bad usage', async () => {
    const {code, stdout, stderr} = await adfa()
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^Usage: adfa /)
  })

  test('adfa --version is that of package.json', async () => {
    const {version} = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
    expect(await adfa('--version')).toEqual({code: 0, stdout: `${version}\n`, stderr: ''})
  })
})

describe('adfa, bad usage', () => {
  const out = ['-o', folder.at('none')]
  const refused: readonly [readonly string[], RegExp][] = [
    [['fitt'], /unknown command 'fitt'\n\(Did you mean fit\?\)/],
    [['predcit', 'model.json'], /unknown command 'predcit'\n\(Did you mean predict\?\)/],
    [['frobnicate'], /unknown command 'frobnicate'/],
    [['--sed', '1'], /unknown option '--sed'/],
    [['fit', 'x.jsonl', '--anchor', 'a.json', ...out], /unknown option '--anchor'\n\(Did you mean --anchors\?\)/],
    [
      ['count', 'x.jsonl', '--vocabluary', '3', ...out],
      /unknown option '--vocabluary'\n\(Did you mean --vocabulary\?\)/
    ],
    [['merge', 'x.counts', '--jsn', ...out], /unknown option '--jsn'\n\(Did you mean --json\?\)/],
    [
      ['predict', 'm.json', 'x.jsonl', '--hide-anchor'],
      /unknown option '--hide-anchor'\n\(Did you mean --hide-anchors\?\)/
    ],
    [['evaluate', 'm.json', 'x.jsonl', '--trian', 'y'], /unknown option '--trian'\n\(Did you mean --train\?\)/],
    [['generate', 'random', '--truht', 'y', ...out], /unknown option '--truht'\n\(Did you mean --truth\?\)/],
    [['fit', 'x.jsonl'], /required option '-o, --output <file>' not specified/],
    [['count', 'x.jsonl'], /required option '-o, --output <file>' not specified/],
    [['merge', 'x.counts'], /required option '-o, --output <file>' not specified/],
    [['generate', 'random'], /required option '-o, --output <file>' not specified/],
    [
      ['fit', ...out],
      /adfa fit needs documents, and there is no adfa\.json that names them \(is this the right folder\?\)/
    ],
    [['predict'], /adfa predict needs a model.*adfa init/],
    [['evaluate', 'm.json'], /adfa evaluate needs documents/],
    [['generate', ...out], /missing required argument 'kind'/],
    [['demo', 'moon'], /'moon' is invalid for argument 'corpus'. Allowed choices are npm, emergency/],
    [['fit', 'x.jsonl', '--preset', 'papr', ...out], /'papr' is invalid. Allowed choices are paper, robust/],
    [
      ['fit', 'x.jsonl', '--structure', 'graph', ...out],
      /--structure is pairs, independent, tree, indegree:K or degree:K .*; got "graph"/
    ],
    [['fit', 'x.jsonl', '--noise', 'luck', ...out], /'luck' is invalid. Allowed choices are given, labels, pair/],
    [['fit', 'x.jsonl', '--divergence', 'kll', ...out], /'kll' is invalid. Allowed choices are kl, l2/],
    [['fit', 'x.jsonl', '--polytope', 'cube', ...out], /'cube' is invalid. Allowed choices are simplex, local, cycle/],
    [
      ['fit', 'x.jsonl', '--shrinkage', 'strong', ...out],
      /a shrinkage is a number >= 0, or C\/N with C >= 0, such as 10\/N/
    ],
    [['fit', 'x.jsonl', '--word-shrinkage', '-1', ...out], /a shrinkage is a number >= 0.*got -1/],
    [['fit', 'x.jsonl', '--seed', 'x', ...out], /'--seed <n>' argument 'x' is invalid. It must be a whole number/],
    [['fit', 'x.jsonl', '--seed', '-1', ...out], /'-1' is invalid. It must be a whole number/],
    [['count', 'x.jsonl', '--vocabulary', '1.5', ...out], /'1.5' is invalid. It must be a whole number/],
    [['count', 'x.jsonl', '--vocabulary', '', ...out], /It must be a whole number/],
    [['count', 'x.jsonl', '--max-share', '50%', ...out], /'50%' is invalid. It must be a share from 0 to 1/],
    [['count', 'x.jsonl', '--label-share', '2', ...out], /'2' is invalid. It must be a share from 0 to 1/],
    [['count', 'x.jsonl', '--text', 'title,,text', ...out], /It must be a list of names, separated by commas/],
    [['count', 'x.jsonl', '--format', 'xml', ...out], /'xml' is invalid. Allowed choices are jsonl, svmlight, csv/],
    [['predict', 'm.json', 'x.jsonl', '--top', '0'], /'0' is invalid. It must be a whole number above 0/],
    [
      ['predict', 'm.json', 'x.jsonl', '--method', 'magic'],
      /'magic' is invalid. Allowed choices are auto, exact, message-passing/
    ]
  ]

  test.each(refused)('adfa %j exits 2 with the rule', async (args, message) => {
    const {code, stdout, stderr} = await adfa(...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
    expect(folder.names()).not.toContain('none')
  })

  test('adfa refuses values that only the library knows to be wrong, with exit code 2 as well', async () => {
    const {docs, anchors} = await generateSmall(folder, 50)
    const values: readonly [readonly string[], RegExp][] = [
      [['--vocabulary', '0'], /--vocabulary <n>.*must be a whole number above 0/],
      [['--max-share', '0'], /--max-share must be a share above 0, at most 1; got 0/],
      [['--of-top', '0'], /--of-top <n>.*must be a whole number above 0/],
      [['--text', 'a:b'], /text.*without colons; got \["a:b"\]/],
      [['--separator', ' '], /(--separator|`separator`) must be a character such as \| or ;/]
    ]
    for (const [args, message] of values) {
      const {code, stdout, stderr} = await adfa('count', docs, '--anchors', anchors, ...args, '-o', folder.at('none'))
      expect([args, code, stdout]).toEqual([args, 2, ''])
      expect(stderr).toMatch(message)
    }
    expect(folder.names()).not.toContain('none')
  })
})

describe('withFlags', async () => {
  const count = (await createProgram()).commands.find(command => command.name() === 'count')

  test('withFlags(...) turns option names in backticks into flags of the command', () => {
    expect(withFlags('give `labelShare` or `anchors`', count)).toBe('give --label-share or --anchors')
    expect(withFlags("use `engine` 'duckdb'", count)).toBe('use --engine duckdb')
    expect(withFlags('`wordModel` and `keepCase`', count)).toBe('--words and --keep-case')
  })

  test('withFlags(...) leaves other names, without backticks', () => {
    expect(withFlags("use `noise` 'auto', not `wordSigmas`", count)).toBe("use noise 'auto', not wordSigmas")
    expect(withFlags('`labelShare` is 1', undefined)).toBe('labelShare is 1')
    expect(withFlags('labelShare is 1', count)).toBe('labelShare is 1')
  })
})

describe('run', () => {
  test('run(...) takes its listeners away again', async () => {
    const listeners = () => ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit'].map(event => process.listenerCount(event))
    const before = [...listeners(), process.stdout.listenerCount('error')]
    await adfa('--help')
    await adfa('fit')
    await generateSmall(folder, 20)
    expect([...listeners(), process.stdout.listenerCount('error')]).toEqual(before)
  })
})
