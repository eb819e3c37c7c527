import type {Command} from 'commander'
import {inputNames, keyColumns, type RowFields} from '../../read/data/index.ts'
import type {DocumentOptions} from '../../read/files/index.ts'
import {type DocumentFormat, documentFormats} from '../../read/reading/index.ts'
import {addOptions} from './declare.ts'
import type {Output} from './output.ts'

export interface FormatOptions {
  readonly format?: DocumentFormat
  readonly separator?: string
  readonly id?: string
  readonly tags?: string
  readonly tagSeparator?: string
  readonly worksheet?: string
  readonly encoding?: string
}

export function addFileOptions(command: Command): Command {
  return addOptions(command, {format: Object.keys(documentFormats)})`
    --format <name>     document format, if the file name does not show it
    --worksheet <name>  sheet of an Excel workbook (default: the first)
    --encoding <name>   encoding of text files, such as windows-1252 or gbk (default: recognised)`
}

export function addFormatOptions(command: Command): Command {
  // adfa explain has an --id of its own, that of a document.
  const hasId = command.options.some(option => option.long === '--id')
  if (!hasId) command.option('--id <column>', 'column with the document id (default: that of the model, or "id")')
  return addOptions(addFileOptions(command))`
    --tags <column>         column with the tags of a document (default: that of the model, or "tags")
    --separator <text>      separator of list items within a table cell (default: that of the model, or "|")
    --tag-separator <text>  separator of tags within a table cell (default: that of the model, or --separator)`
}

export type FileOptions = Pick<DocumentOptions, 'format' | 'required' | 'worksheet' | 'encoding' | 'onNote'>

export function fileOptions(options: FormatOptions, output: Output): FileOptions {
  const {format, worksheet, encoding} = options
  const {id, tags} = keyColumns(options)
  return {
    format,
    worksheet,
    encoding,
    onNote: output.note,
    required: [id, tags].filter(name => name !== undefined)
  }
}

/** The fields named on the command line or in a project; the default text fields are not. */
export function fieldsTyped(options: RowFields, command: Command): string[] {
  const isDefault = command.getOptionValueSource('text') === 'default'
  return inputNames(isDefault ? {...options, text: []} : options)
}
