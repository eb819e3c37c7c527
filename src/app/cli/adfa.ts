#!/usr/bin/env node
import {cannotWrite, removeTemporaryFiles} from '../../read/files/index.ts'
import {printError} from './output.ts'
import {run} from './run.ts'

// A reader such as `head` that closes the pipe early is no failure; anything else, such as a full disk, is.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  removeTemporaryFiles()
  if (error.code === 'EPIPE') process.exit(0)
  printError(`adfa: ${cannotWrite('standard output', error).message}`)
  process.exit(1)
})
// Notes that nobody can read must not stop the work.
process.stderr.on('error', () => {})
// Node ends without a word when nothing is left that could finish the work; 13 is its code for that.
process.once('exit', code => {
  if (code !== 13) return
  process.stderr.write('adfa: internal error, please report it\nthe command stopped before it had finished\n')
  process.exitCode = 1
})
process.exitCode = await run(process.argv.slice(2))
