import {posix} from 'node:path'

/**
 * Faults of documentation pages (path such as `docs/PAPER.md` -> text): a fenced TypeScript program that imports `adfa`
 * and is not a contiguous part of a file of `examples` (path -> text; white space does not count), or a relative link to
 * something for which `exists` is false. One line per fault, `path:line: what is wrong`.
 */
export function checkDocs(
  pages: ReadonlyMap<string, string>,
  examples: ReadonlyMap<string, string>,
  exists: (path: string) => boolean
): string[] {
  const programs = [...examples.values()].map(squeeze)
  return [...pages].flatMap(([path, page]) => {
    const {fences, prose} = splitPage(page)
    const strays = fences
      .filter(({language, text}) => /^(ts|typescript)\b/.test(language) && /from\s*['"]adfa(\/|['"])/.test(text))
      .filter(({text}) => !programs.some(program => program.includes(squeeze(text))))
      .map(({line}) => `${path}:${line}: the program is not part of a file in examples/`)
    const dead = relativeLinks(prose)
      .filter(({target}) => !exists(posix.join(posix.dirname(path), target)))
      .map(({target, line}) => `${path}:${line}: the link leads nowhere: ${target}`)
    return [...strays, ...dead]
  })
}

interface Fence {
  readonly language: string
  readonly text: string
  readonly line: number
}

/** Split a page into fenced programs and prose; their lines are blank in the prose, to keep line numbers. */
function splitPage(page: string): {fences: Fence[]; prose: string[]} {
  const fences: Fence[] = []
  const prose: string[] = []
  let open: {mark: string; language: string; line: number; lines: string[]} | undefined
  for (const [at, line] of page.split('\n').entries()) {
    const mark = /^\s*(```+|~~~+)\s*(.*)$/.exec(line)
    prose.push(open || mark ? '' : line)
    if (!open && mark) open = {mark: mark[1], language: mark[2], line: at + 1, lines: []}
    else if (open && mark?.[1].startsWith(open.mark) && mark[2] === '') {
      fences.push({language: open.language, text: open.lines.join('\n'), line: open.line})
      open = undefined
    } else open?.lines.push(line)
  }
  if (open) fences.push({language: open.language, text: open.lines.join('\n'), line: open.line})
  return {fences, prose}
}

function relativeLinks(prose: readonly string[]): {target: string; line: number}[] {
  return prose.flatMap((text, at) => {
    const plain = text.replace(/`[^`]*`/g, '')
    const targets = [...plain.matchAll(/\]\(\s*<?([^)\s>]+)|\b(?:src|href)="([^"]+)"|^\s*\[[^\]]+\]:\s*(\S+)/g)]
    return targets
      .map(([, inline, html, reference]) => decodeURI((inline ?? html ?? reference).split('#')[0]))
      .filter(target => target !== '' && !/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(target))
      .map(target => ({target, line: at + 1}))
  })
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, '')
}
