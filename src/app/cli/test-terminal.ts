import {spawn, spawnSync} from 'node:child_process'
import {fileURLToPath} from 'node:url'
import {stripVTControlCharacters} from 'node:util'

/** Lends a program a terminal: of util-linux, which every Debian has. */
const SCRIPT = 'script'

export const hasTerminal = spawnSync(SCRIPT, ['--version']).stdout?.includes('util-linux') === true

/** The program in a terminal of its own. */
export interface TerminalRun {
  /** Wait until the screen shows this, after what was waited for before. */
  shows(pattern: RegExp): Promise<void>
  type(keys: string): void
  /** Send a signal to the program itself. */
  kill(signal: NodeJS.Signals): void
  /** Wait for the end; the exit code of the program. */
  ended(): Promise<number | null>
  /** Everything that was drawn, without colours. */
  text(): string
}

/** Start the program in a terminal of 80 x 24. `before` and `after` are shell commands run in the same terminal. */
export function startInTerminal(
  args: readonly string[],
  onTestFinished: (clean: () => void) => void,
  {before = ':', after = ':'}: {readonly before?: string; readonly after?: string} = {}
): TerminalRun {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const program = [process.execPath, '--import', 'tsx', 'src/app/cli/adfa.ts', ...args].map(quoted).join(' ')
  const inside = `stty rows 24 cols 80; ${before}; sh -c ${quoted(`echo "program $$"; exec ${program}`)}; code=$?; ${after}; exit $code`
  const env = {...process.env, LC_ALL: 'C.UTF-8', TERM: 'xterm-256color', NO_COLOR: undefined}
  const child = spawn(SCRIPT, ['-qefc', inside, '/dev/null'], {cwd: root, env, stdio: ['pipe', 'pipe', 'inherit']})
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  let drawn = ''
  let from = 0
  let look = () => {}
  child.stdout.on('data', chunk => {
    drawn += stripVTControlCharacters(String(chunk))
    look()
  })
  const kill = (signal: NodeJS.Signals) => {
    const pid = /program (\d+)/.exec(drawn)?.[1]
    if (pid !== undefined) process.kill(Number(pid), signal)
  }
  onTestFinished(() => {
    if (child.exitCode !== null) return
    kill('SIGKILL')
    child.kill('SIGKILL')
  })
  return {
    text: () => drawn,
    type: keys => child.stdin.write(keys),
    kill,
    ended: () => ended,
    shows: pattern =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`${pattern} was not shown:\n${drawn.slice(from)}`)), 30_000)
        look = () => {
          const found = pattern.exec(drawn.slice(from))
          if (found === null) return
          from += found.index + found[0].length
          look = () => {}
          clearTimeout(late)
          resolve()
        }
        look()
      })
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
