import {counted, grouped, listed} from '../../base/text/index.ts'
import type {DeskState, FindingView, Stage} from '../desk/index.ts'
import {isExamined, openFindings} from './concept-marks.ts'
import type {Shell} from './create-studio.ts'
import {FitButton} from './fit-now.tsx'
import {focusSoon} from './focus.ts'
import {Button, StateMark} from './parts.tsx'
import {sentence} from './sentence.ts'

/** Where the project stands, at the foot of every page. */
export function Strip({shell, onSeal}: {shell: Shell; onSeal: () => void}) {
  const {documents, heldOut, counts, numbers, scores, rates, waits, beaten, readOnly} = shell.state.value
  const findings = openFindings(shell.state.value, shell.project.value.anchors)
  const concepts = shell.project.value.anchors.length
  const isKnown = findings.length > 0 || isExamined(shell.state.value)
  const isLooking = numbers.is === 'computing'
  const ratesText = listed(
    RATE_SOURCES.filter(([source]) => rates[source] > 0).map(([source, words]) => `${rates[source]} ${words}`)
  )
  return (
    <footer class="strip">
      <span class="mid">
        {documents > 0 ? counted(documents, 'document') : readOnly ? `${readOnly}, read-only` : 'no documents'}
        {heldOut > 0 ? <span class="wide">{` and ${grouped(heldOut)} held out`}</span> : null}
      </span>
      {readOnly ? null : <span class="mid">{counted(concepts, 'concept')}</span>}
      <StageItem shell={shell} name="Numbers" stage={numbers} />
      <StageItem shell={shell} name="Scores" stage={scores} />
      {numbers.is === 'computing' || scores.is === 'computing' ? (
        <span class="cancel">
          <Button isLittle onClick={() => shell.desk.cancel().catch(shell.say)}>
            Cancel<span class="unseen"> computing</span>
          </Button>
        </span>
      ) : null}
      {waits === undefined ? null : (
        <span class="cancel" title={sentence(waits)}>
          <FitButton studio={shell} />
        </span>
      )}
      {ratesText && beaten === undefined ? (
        <span class="roomy mid">
          Rates{' '}
          <Button look="quiet" isLittle also="link" title={UNMEASURED} onClick={() => shell.go({page: 'label'})}>
            {ratesText}
          </Button>
        </span>
      ) : null}
      {documents > 0 && counts.is !== 'none' ? (
        <span class="doctor">
          Doctor{' '}
          <Button look="quiet" isLittle also="link" onClick={() => goToDoctor(shell, findings)}>
            {isKnown ? <FindingCounts findings={findings} /> : isLooking ? 'looking …' : 'not checked yet'}
          </Button>
        </span>
      ) : null}
      {beaten === undefined ? null : (
        <span class="mid" title={listed(beaten.by)}>
          <Button look="quiet" isLittle also="link" onClick={() => shell.go({page: 'evaluate', mistakes: undefined})}>
            {beatenText(beaten)}
          </Button>
        </span>
      )}
      <span class="push mid">
        <Button look="quiet" isLittle also="link" onClick={onSeal}>
          <span>Nothing leaves{beaten === undefined ? <span class="wide"> this computer</span> : null}</span>
        </Button>
      </span>
    </footer>
  )
}

/** Where rates come from, as people read it. */
const RATE_SOURCES = [
  ['given', 'given'],
  ['labels', 'from labels'],
  ['guess', 'not measured']
] as const
const UNMEASURED = 'Rates are measured from 30 or more labelled documents; until then they are typical values'

/** "Beaten by noisy-or", once Evaluate has run. */
function beatenText({by, isOld}: NonNullable<DeskState['beaten']>): string {
  const [first, ...others] = by
  return `${isOld ? 'Was beaten' : 'Beaten'} by ${others.length === 0 ? first : `${by.length} simpler methods`}`
}

function StageItem({shell, name, stage}: {shell: Shell; name: string; stage: Stage}) {
  return (
    <span title={stage.is === 'computing' ? stage.words : undefined}>
      {name} <StateMark stage={stage} />
      {stage.is === 'failed' ? (
        <Button look="quiet" isLittle also="link" onClick={() => shell.say(new Error(stage.message))}>
          why
        </Button>
      ) : null}
    </span>
  )
}

/** To what the doctor says: of the concept at hand, or else of the first concept that something is said of. */
function goToDoctor(shell: Shell, findings: readonly FindingView[]): void {
  const at = shell.view.value.concept
  const own = findings.find(({concept}) => concept === at) ?? findings[0]
  shell.go({page: 'anchors', ...(own && {concept: own.concept})})
  focusSoon('#doctor-title')
}

/** "1 fault, 2 notes"; on narrow screens the worst alone. */
function FindingCounts({findings}: {findings: readonly FindingView[]}) {
  const counts = (['fault', 'warning', 'note'] as const).flatMap(severity => {
    const count = findings.filter(finding => finding.severity === severity).length
    return count > 0 ? [counted(count, severity)] : []
  })
  const [worst = 'nothing found', ...others] = counts
  return (
    <span>
      {worst}
      {others.length > 0 ? <span class="wide">, {others.join(', ')}</span> : null}
    </span>
  )
}
