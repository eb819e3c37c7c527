import type {Command} from 'commander'
import {grouped} from '../../base/text/index.ts'
import type {Lexicon} from '../../read/data/index.ts'
import {countingDefaults} from '../../read/engines/index.ts'
import {positiveNumber, wholeNumber} from './common-options.ts'
import type {Output} from './output.ts'

/** Threads and memory for reading documents; they do not change the counts unless a field has more than `distinctWords` words. */
export interface WorkOptions {
  readonly workers?: number
  readonly distinctWords?: number
}

export function addWorkOptions(command: Command): Command {
  return command
    .option(
      '--workers <n>',
      'threads that read documents, 0 for none (default: one per core; none below 20 MB)',
      wholeNumber
    )
    .option(
      '--distinct-words <n>',
      `distinct words per field to track when choosing the vocabulary; with more, the choice is approximate (default: ${countingDefaults.distinctWords})`,
      positiveNumber
    )
}

/** Notes when a field had more distinct words than were tracked. */
export function noteVocabulary({vocabularyError}: Lexicon, {distinctWords}: WorkOptions, output: Output): void {
  if (vocabularyError === undefined) return
  const held = grouped(distinctWords ?? countingDefaults.distinctWords)
  output.note(
    `the vocabulary is approximate: a field has more than ${held} different words, so words were chosen by counts that may be ` +
      `too small by up to ${grouped(vocabularyError)} documents; the counts written are exact; raise --distinct-words for an exact choice`
  )
}
