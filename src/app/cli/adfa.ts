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
process.exitCode = await run(process.argv.slice(2))
