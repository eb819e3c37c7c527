import type {RegexNode} from './parse-regex.ts'

/**
 * Texts that every match contains, in lower case if the expression ignores case: `/\b\w+0777\b/` has 0777, `/heart.*size/` has
 * heart and size. ASCII only: what these characters match does not depend on languages.
 */
export function requiredLiterals(node: RegexNode, flags: string): readonly string[] {
  const ignoresCase = flags.includes('i')
  // The long s and the sign of Kelvin match, too.
  const hasOthers = (letter: string) => ignoresCase && flags.includes('u') && /[ks]/i.test(letter)
  const found: string[] = []
  let run = ''
  const end = () => {
    if (run !== '') found.push(ignoresCase ? run.toLowerCase() : run)
    run = ''
  }
  const visit = (each: RegexNode): void => {
    switch (each.kind) {
      case 'character': {
        const letter = literalOf(each.source)
        if (letter === undefined || hasOthers(letter)) end()
        else run += letter
        break
      }
      case 'sequence':
        each.parts.forEach(visit)
        break
      case 'choice':
        end()
        break
      case 'repeat':
        // Nothing is between its first time and what comes before, nor between its last time and what follows.
        if (each.min > 0) visit(each.body)
        if (each.min !== 1 || each.max !== 1) end()
        break
      // Assertions and look-around consume nothing.
      default:
    }
  }
  visit(node)
  end()
  return [...new Set(found)]
}

/** The character that a source stands for, if it is a single one. */
function literalOf(source: string): string | undefined {
  const letter = /^(?:\\([ -/:-@[-`{-~])|([ -~]))$/.exec(source)
  return source === '.' ? undefined : (letter?.[1] ?? letter?.[2])
}
