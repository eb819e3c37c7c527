import type {Command} from 'commander'
import type {Lexicon} from '../../read/data/index.ts'
import {countingDefaults} from '../../read/engines/index.ts'
import {positiveNumber, wholeNumber} from './common-options.ts'
import type {Output} from './output.ts'

/** How the work of reading documents is done; nothing here changes what is counted, as long as all words can be held. */
export interface WorkOptions {
  readonly workers?: number
  readonly distinctWords?: number
}

export function addWorkOptions(command: Command): Command {
  return command
    .option(
      '--workers <n>',
      'threads that read documents, 0 for none; by default one a core, and none for less than 20 MB',
      wholeNumber
    )
    .option(
      '--distinct-words <n>',
      `different words of a field held while the vocabulary is learned; with more it is approximate (default: ${countingDefaults.distinctWords})`,
      positiveNumber
    )
}

/** Say when there were more words than could be held. */
export function noteVocabulary({vocabularyError}: Lexicon, {distinctWords}: WorkOptions, output: Output): void {
  if (vocabularyError === undefined) return
  const held = (distinctWords ?? countingDefaults.distinctWords).toLocaleString('en')
  output.note(
    `the vocabulary is approximate: a field has more than ${held} different words, and words were chosen by counts that may be ` +
      `too small by up to ${vocabularyError.toLocaleString('en')} documents; the counts written are exact; raise --distinct-words to choose exactly`
  )
}
