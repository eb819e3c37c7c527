import {existsSync} from 'node:fs'
import {resolve} from 'node:path'
import {pathToFileURL} from 'node:url'

export type Environment = Readonly<Record<string, string | undefined>>

interface Stream {
  readonly isTTY?: boolean
}

/** Whether colours are printed: NO_COLOR and FORCE_COLOR decide (https://no-color.org, https://force-color.org), else terminals get them. */
export function isColoured({isTTY}: Stream, env: Environment): boolean {
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR) return !/^(0|false)$/i.test(env.FORCE_COLOR)
  return isTTY === true && env.TERM !== 'dumb'
}

/** Values of TERM_PROGRAM and TERM whose terminals take hyperlinks. */
const PROGRAMS = 'iTerm.app WezTerm vscode ghostty mintty Hyper Tabby rio zed'.split(' ')
const TERMS = 'xterm-kitty xterm-ghostty alacritty foot wezterm'.split(' ')

/**
 * Whether a terminal takes hyperlinks (OSC 8): those known to, and never inside tmux or screen, which may drop them, nor where
 * nobody clicks. GNOME's terminals tell the version of their widget; 0.50.0 crashed on links.
 */
export function takesLinks({isTTY}: Stream, env: Environment): boolean {
  if (isTTY !== true || env.NO_HYPERLINKS || env.CI || env.TMUX || /^(dumb|screen|tmux)/.test(env.TERM ?? ''))
    return false
  return (
    PROGRAMS.includes(env.TERM_PROGRAM ?? '') ||
    TERMS.includes(env.TERM ?? '') ||
    Number(env.VTE_VERSION ?? 0) > 5000 ||
    Number(env.KONSOLE_VERSION ?? 0) >= 201200 ||
    Boolean(env.WT_SESSION)
  )
}

/** The text with links to the files it says are written; `paths` are those that the command line names, files or folders. */
export function linkFiles(text: string, paths: readonly string[]): string {
  const [start = '', ...rest] = text.split(/(?<=\b(?:[Ww]r(?:ote|itten:)|Open)\s)/)
  const known = paths.filter(path => path !== '-' && path !== '')
  if (known.length === 0 || rest.length === 0) return text
  const names = known
    .toSorted((a, b) => b.length - a.length)
    .map(path => path.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const pattern = new RegExp(`(?<![^\\s,])(?:${names.join('|')})(?:/[\\w./-]*\\w)?(?![^\\s,;:.])`, 'g')
  return start + rest.join('').replaceAll(pattern, path => (existsSync(path) ? link(path) : path))
}

function link(path: string): string {
  return `\x1b]8;;${pathToFileURL(resolve(path)).href}\x1b\\${path}\x1b]8;;\x1b\\`
}
