import {counted, grouped, listed} from '../../base/text/index.ts'
import type {FindingView, SessionState, Stage} from '../session/index.ts'
import {type Studio, useStudio} from './store.ts'
import {isExamined, openFindings} from './ui/concept-marks.ts'
import {Button} from './ui/controls.tsx'
import {focusSoon} from './ui/focus.ts'
import {CancelButton, StateMark} from './ui/marks.tsx'
import {sentence} from './ui/sentence.ts'

/** Where the project stands, at the foot of every page. */
export function Strip({onSeal}: {onSeal: () => void}) {
  const studio = useStudio()
  const {documents, heldOut, counts, numbers, scores, rates, waits, beaten, readOnly} = studio.state.value
  const findings = openFindings(studio.state.value, studio.project.value.anchors)
  const concepts = studio.project.value.anchors.length
  const isKnown = findings.length > 0 || isExamined(studio.state.value)
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
      <StageItem name="Numbers" stage={numbers} />
      <StageItem name="Scores" stage={scores} />
      {numbers.is === 'computing' || scores.is === 'computing' ? (
        <span class="cancel">
          <CancelButton isLittle what="computing" />
        </span>
      ) : null}
      {waits === undefined ? null : (
        <span class="cancel" title={sentence(waits)}>
          <FitButton />
        </span>
      )}
      {ratesText && beaten === undefined ? (
        <span class="roomy mid">
          Rates{' '}
          <Button look="quiet" isLittle also="link" title={UNMEASURED} onClick={() => studio.go({page: 'label'})}>
            {ratesText}
          </Button>
        </span>
      ) : null}
      {documents > 0 && counts.is !== 'none' ? (
        <span class="doctor">
          Doctor{' '}
          <Button look="quiet" isLittle also="link" onClick={() => goToDoctor(studio, findings)}>
            {isKnown ? <FindingCounts findings={findings} /> : isLooking ? 'looking …' : 'not checked yet'}
          </Button>
        </span>
      ) : null}
      {beaten === undefined ? null : (
        <span class="mid" title={listed(beaten.by)}>
          <Button look="quiet" isLittle also="link" onClick={() => studio.go({page: 'evaluate', mistakes: undefined})}>
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
function beatenText({by, isOld}: NonNullable<SessionState['beaten']>): string {
  const [first, ...others] = by
  return `${isOld ? 'Was beaten' : 'Beaten'} by ${others.length === 0 ? first : `${by.length} simpler methods`}`
}

function StageItem({name, stage}: {name: string; stage: Stage}) {
  const studio = useStudio()
  return (
    <span title={stage.is === 'computing' ? stage.words : undefined}>
      {name} <StateMark stage={stage} />
      {stage.is === 'failed' ? (
        <Button look="quiet" isLittle also="link" onClick={() => studio.say(new Error(stage.message))}>
          why
        </Button>
      ) : null}
    </span>
  )
}

/** To what the doctor says: of the concept at hand, or else of the first concept that something is said of. */
function goToDoctor(studio: Studio, findings: readonly FindingView[]): void {
  const at = studio.view.value.concept
  const own = findings.find(({concept}) => concept === at) ?? findings[0]
  studio.go({page: 'anchors', ...(own && {concept: own.concept})})
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

/** Begins the fit that waits. */
function FitButton() {
  const studio = useStudio()
  return (
    <Button isLittle onClick={() => studio.session.fit().catch(studio.say)}>
      Fit now
    </Button>
  )
}

/** Why numbers are not computed by themselves, with the button for it. */
export function FitNow() {
  const studio = useStudio()
  const {waits} = studio.state.value
  if (waits === undefined) return null
  return (
    <div class="say know fit-now">
      <p>{sentence(waits)}</p>
      <FitButton />
    </div>
  )
}
