import {AdfaError} from '../../../base/checks/index.ts'
import type {Counts} from '../../../read/counts/index.ts'
import type {LabelSession} from '../../../use/labelling/index.ts'
import {interruptible} from '../interruptible.ts'
import type {Output} from '../output.ts'
import {counted} from '../text.ts'
import {runDialogue} from './label-dialogue.ts'
import {anchorRanking, createRanking, type Ranking} from './label-ranking.ts'
import type {LabelStore} from './label-store.ts'
import {openTerminal} from './label-terminal.ts'

interface Asking {
  readonly file: string
  readonly store: LabelStore
  readonly enough: number
  readonly json: boolean
}

/** Ask in the terminal, with a model that ranks the concepts and learns as answers come in. */
export async function askInTerminal(
  session: LabelSession,
  counts: Counts,
  {file, store, enough, json}: Asking,
  output: Output
): Promise<void> {
  const {anchors, text} = counts.lexicon
  output.progress('learning a first model')
  let ranking = interruptible(() => rankingOf(counts, session, output))
  output.done()
  const terminal = openTerminal(json)
  try {
    const end = await runDialogue({
      session,
      terminal,
      facts: {anchors: anchors.map(({any}) => any), fields: text.fields, narrow: enough, file},
      save: () => store.save(session.rows),
      rank: ({document}) => ranking.probabilities(document.evidence),
      learn: () => {
        ranking = rankingOf(counts, session, undefined)
      }
    })
    if (end !== 'interrupted') return
  } finally {
    terminal.close()
  }
  throw new AdfaError(
    'cancelled',
    `stopped; ${counted(session.rows.length, 'answer')} saved in ${file}; the same command goes on`
  )
}

/** A model where one can be fitted; labelling must not fail for want of one. */
function rankingOf(counts: Counts, session: LabelSession, output: Output | undefined): Ranking {
  try {
    return createRanking(counts, session.progress().precision?.rates)
  } catch (error) {
    if (!(error instanceof AdfaError)) throw error
    output?.note(`the concepts are ranked by their anchors alone, for no model can be fitted: ${error.message}`)
    return anchorRanking(counts)
  }
}
