import {AdfaError} from '../../base/checks/index.ts'
import type {Row} from '../data/index.ts'
import {isPresent} from './binary-value.ts'
import {eachLine, type LineBlock} from './line-blocks.ts'

/**
 * svmlight, one document a line: `label,label index:1 index:1 # comment`.
 *
 * Labels become tags, as they are written. A line that begins with a blank has labels, but none (as libsvm writes
 * documents of several labels); a line that begins with a feature says nothing about them. Blank lines and lines of
 * comment are skipped, `qid:` is ignored. A comment begins at a `#` after a blank, so that `c#` can be a label.
 */
export function readSvmlight(block: LineBlock, name: string): Row[] {
  const rows: Row[] = []
  eachLine(block, name, (text, line) => {
    const content = withoutComment(text)
    if (content.trim() !== '') rows.push(parseLine(content, `${name}:${line}`))
  })
  return rows
}

export function withoutComment(text: string): string {
  return text.includes('#') ? text.replace(/(^|\s)#.*$/, '') : text
}

function parseLine(content: string, where: string): Row {
  // Splitting at a single character is several times faster; blanks in a row give empty parts, which are skipped.
  const parts = content.split(content.includes('\t') ? /[ \t]/ : ' ')
  const hasLabels = !parts[0].includes(':')
  const features: string[] = []
  for (const part of hasLabels ? parts.slice(1) : parts) {
    if (part === '' || part.startsWith('qid:')) continue
    const feature = parseFeature(part, where)
    if (feature !== undefined) features.push(feature)
  }
  return {
    id: undefined,
    text: new Map(),
    features,
    tags: hasLabels ? parseLabels(parts[0], where) : undefined,
    labels: undefined
  }
}

function parseLabels(part: string, where: string): readonly string[] {
  if (part === '') return []
  const labels = part.split(',')
  if (labels.includes(''))
    throw svmlightError(where, `the labels "${part}" have an empty one among them`, 'separate labels by single commas')
  return labels
}

/** The name of the feature, or undefined when its value says that it is absent. */
function parseFeature(part: string, where: string): string | undefined {
  const colon = part.indexOf(':')
  const index = part.slice(0, Math.max(0, colon))
  if (!/^(0|[1-9]\d*)$/.test(index))
    throw svmlightError(
      where,
      `"${part}" is not a feature`,
      'features are written index:1, with a whole number as index'
    )
  return isPresent(part.slice(colon + 1), `feature ${index}`, where) ? index : undefined
}

function svmlightError(where: string, what: string, rule: string): AdfaError {
  return new AdfaError('bad-document', `${where}: ${what}; ${rule}`)
}
