import {type JsonSpan, jsonEntries} from '../../../base/checks/index.ts'
import {labelLines} from '../../../use/labelling/index.ts'

/**
 * Where a project file holds its anchors (an object), its labels (a list) or the edges of its `fit` (an object); undefined for
 * other files, and where it names a file.
 */
export function inlineSpan(text: string, key: 'anchors' | 'labels' | 'edges'): JsonSpan | undefined {
  if (!/"format"\s*:\s*"adfa-project"/.test(text)) return undefined
  const entries = jsonEntries(text, text.indexOf('{'))
  const isProject = entries.some(
    ({key: name, start, end}) => name === 'format' && /project/.test(text.slice(start, end))
  )
  const entry = (among: typeof entries, name: string) => among.findLast(each => each.key === name)
  const fit = key === 'edges' ? entry(entries, 'fit') : undefined
  const within = fit !== undefined && text[fit.start] === '{' ? jsonEntries(text, fit.start) : []
  const found = entry(key === 'edges' ? within : entries, key)
  return isProject && found !== undefined && text[found.start] === (key === 'labels' ? '[' : '{') ? found : undefined
}

/** The content of an anchors or edges file, from the file itself or a project that holds it. */
export function heldText(text: string, key: 'anchors' | 'edges'): string {
  const span = inlineSpan(text, key)
  return span === undefined ? text : text.slice(span.start, span.end)
}

/** The same for a labels file, with the place of its rows for errors. */
export function labelsText(text: string, path: string): {readonly text: string; readonly where: string} {
  const span = inlineSpan(text, 'labels')
  if (span === undefined) return {text, where: path}
  return {text: labelLines(text.slice(span.start, span.end)), where: `${path}, labels`}
}
