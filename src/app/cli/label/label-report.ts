import type {LabelSession} from '../../../use/labelling/index.ts'
import type {Output} from '../output.ts'
import {counted} from '../text.ts'
import {enoughWords, knownWords} from './label-words.ts'

/** Say what the labels amount to, and what to do with them. */
export function reportLabels(session: LabelSession, file: string, narrow: number, output: Output): void {
  const progress = session.progress()
  const {documents, goal, precision, enough} = progress
  const short = session.rows.filter(({drawn, skipped}) => drawn === 'anchored' && skipped === undefined).length
  const skipped = session.rows.filter(row => row.skipped !== undefined).length
  output.json({
    file,
    documents,
    goal,
    shortAnswers: short,
    skipped,
    enough: enough ?? null,
    medianFactor: precision?.median ?? null,
    worst: precision?.worst ?? null,
    concepts: precision?.rates.concepts.map((rates, i) => ({concept: session.concepts[i], ...rates})) ?? []
  })
  const words = [counted(documents, 'document'), ...(short > 0 ? [counted(short, 'short answer')] : [])]
  output.print(
    `${words.join(' and ')} labelled in ${file}${skipped > 0 ? `, ${skipped} skipped` : ''}\n${knownWords(progress)}`
  )
  const stop = enoughWords(progress, narrow)
  output.print(stop ?? `${goal - documents} more to go; the same command goes on`)
}
