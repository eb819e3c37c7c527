import {execFileSync, spawnSync} from 'node:child_process'
import {describe, expect, test} from 'vitest'
import {createProgram} from '../run.ts'
import {adfa, adfaDone, testFolder} from '../test-run.ts'
import {commandTable} from './command-table.ts'

const folder = testFolder()
const isThere = (program: string) => spawnSync(program, ['--version']).error === undefined

describe('adfa completions', () => {
  test('completions have every command and every option of the help', async () => {
    const commands = commandTable(await createProgram())
    expect(commands.map(({name}) => name)).toEqual(expect.arrayContaining(['fit', 'completions', 'man', 'help']))
    for (const shell of ['bash', 'zsh', 'fish']) {
      const script = await adfaDone('completions', shell)
      for (const {name, options} of commands) {
        expect(script).toContain(name)
        for (const {long} of options) expect(script).toContain(shell === 'fish' ? `-l ${long.slice(2)}` : long)
      }
    }
  })

  test('adfa completions refuses other shells, with those it knows', async () => {
    const {code, stderr} = await adfa('completions', 'tcsh')
    expect(code).toBe(2)
    expect(stderr).toMatch(/bash, zsh, fish/)
  })

  test.runIf(isThere('bash'))(
    'bash completes commands, options, choices, folders and leaves files to readline',
    async () => {
      const script = folder.write('adfa.bash', await adfaDone('completions', 'bash'))
      execFileSync('bash', ['-n', script])
      folder.write('a file.json', '{}')
      const offered = (...words: string[]) => {
        const code = `source "$1"; cd "$2"; shift 2; COMP_WORDS=(adfa "$@"); COMP_CWORD=$#; _adfa; printf '%s\n' "\${COMPREPLY[@]}"`
        const out = execFileSync('bash', ['-c', code, 'bash', script, folder.path, ...words], {encoding: 'utf8'})
        return out.split('\n').filter(line => line !== '')
      }
      expect(offered('pre')).toEqual(['predict'])
      expect(offered('fit', '--noi')).toEqual(['--noise'])
      expect(offered('fit', '--noise', 'p')).toEqual(['pair', 'positive-only'])
      expect(offered('fit', '--noise', '=', 'g')).toEqual(['given'])
      expect(offered('fit', '--noise', '=')).toContain('given')
      expect(offered('export', 'model.json', '--to', 's')).toEqual(['svg'])
      expect(offered('demo', '')).toEqual(['npm', 'emergency'])
      expect(offered('help', 'mer')).toEqual(['merge'])
      // Empty: readline completes file names, which it can quote.
      expect(offered('fit', 'a')).toEqual([])
      expect(offered('fit', '--anchors', 'a')).toEqual([])
    }
  )

  test.runIf(isThere('zsh'))('zsh reads its script', async () => {
    const script = folder.write('adfa.zsh', await adfaDone('completions', 'zsh'))
    execFileSync('zsh', ['-n', script])
  })

  test.runIf(isThere('fish'))('fish completes commands, options and choices', async () => {
    const script = folder.write('adfa.fish', await adfaDone('completions', 'fish'))
    const offered = (line: string) =>
      execFileSync('fish', ['--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', script, line], {
        encoding: 'utf8'
      })
        .split('\n')
        .filter(text => text !== '')
        .map(text => text.split('\t')[0])
    expect(offered('adfa pre')).toEqual(['predict'])
    expect(offered('adfa fit --noi')).toEqual(['--noise'])
    expect(offered('adfa fit --noise p')).toEqual(['pair', 'positive-only'])
    expect(offered('adfa demo ')).toEqual(expect.arrayContaining(['emergency', 'npm']))
  })
})

describe('adfa man', () => {
  test('the manual page has every command, option and example of the help', async () => {
    const page = (await adfaDone('man')).replaceAll('\\-', '-')
    for (const {name, options, after} of commandTable(await createProgram())) {
      expect(page).toContain(`\n.SS ${name}\n`)
      for (const {flags} of options) expect(page).toContain(`\n.B ${flags}\n`)
      for (const line of after.split('\n').filter(text => text.startsWith('  adfa'))) expect(page).toContain(line)
    }
  })

  test.each([
    ['groff', ['-man', '-Tutf8', '-ww', '-z']],
    ['mandoc', ['-T', 'lint', '-W', 'error']]
  ])('%s reads the page without a warning', async (program, args) => {
    if (!isThere(program)) return
    const page = folder.write('adfa.1', await adfaDone('man'))
    const {stdout, stderr} = spawnSync(program, [...args, page], {encoding: 'utf8'})
    expect(stderr).toBe('')
    expect(stdout.split('\n').filter(line => !/STYLE|missing date|^$/.test(line))).toEqual([])
  })
})
