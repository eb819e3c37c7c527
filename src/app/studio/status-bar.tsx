import type {ComponentChildren} from 'preact'
import {counted, grouped, listed} from '../../base/text/index.ts'
import type {Finding} from '../../use/advice/index.ts'
import {findingCounts} from '../present/index.ts'
import type {SessionState, Stage} from '../session/index.ts'
import {useStudio} from './store.ts'
import {isExamined, openFindings} from './ui/concept-marks.ts'
import {Button} from './ui/controls.tsx'
import {focusSoon} from './ui/keys.ts'
import {CancelButton, StateMark} from './ui/marks.tsx'
import {sentence} from './ui/sentence.ts'

/** "noisy-or is better in AUC and Brier", once Evaluate has run. */
function beatenText({by, isOld}: NonNullable<SessionState['beaten']>): string {
  const [{name, columns}, ...others] = by
  if (others.length > 0) return `${by.length} simpler methods ${isOld ? 'were' : 'are'} better in some figures`
  const where = columns.length > 2 ? `${columns.length} figures` : listed(columns)
  return `${name} ${isOld ? 'was' : 'is'} better in ${where}`
}

/** Where the project stands, at the foot of every page. */
export function StatusBar({onPrivacy}: {onPrivacy: () => void}) {
  const studio = useStudio()
  const {documents, heldOut, counts, numbers, scores, rates, waits, beaten} = studio.state.value
  const findings = openFindings(studio.state.value, studio.project.value.anchors)
  const concepts = studio.project.value.anchors.length
  const isKnown = findings.length > 0 || isExamined(studio.state.value)
  const sources = [
    [rates.given, 'given'],
    [rates.labels, 'from labels'],
    [rates.guess, 'not measured']
  ] as const
  const ratesText = listed(sources.flatMap(([count, words]) => (count > 0 ? `${count} ${words}` : [])))
  // To what the doctor says of the concept at hand, or else of the first concept that something is said of.
  const goToDoctor = () => {
    const own = findings.find(({concept}) => concept === studio.view.value.concept) ?? findings[0]
    studio.go({page: 'anchors', ...(own && {concept: own.concept})})
    focusSoon('#doctor-title')
  }
  return (
    <footer class="status-bar">
      <span class="mid">
        {documents > 0 ? counted(documents, 'document') : 'no documents'}
        {heldOut > 0 ? <span class="wide">{` and ${grouped(heldOut)} held out`}</span> : null}
      </span>
      <span class="mid">{counted(concepts, 'concept')}</span>
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
          <Link
            title="Rates are measured from 30 or more labelled documents; until then they are typical values"
            onClick={() => studio.go({page: 'label'})}
          >
            {ratesText}
          </Link>
        </span>
      ) : null}
      {documents > 0 && counts.is !== 'none' ? (
        <span class="doctor">
          Doctor{' '}
          <Link onClick={goToDoctor}>
            {isKnown ? (
              <FindingCounts findings={findings} />
            ) : numbers.is === 'computing' ? (
              'looking …'
            ) : (
              'not checked yet'
            )}
          </Link>
        </span>
      ) : null}
      {beaten === undefined ? null : (
        <span class="mid" title={listed(beaten.by.map(({name}) => name))}>
          <Link onClick={() => studio.go({page: 'evaluate', mistakes: undefined})}>{beatenText(beaten)}</Link>
        </span>
      )}
      <span class="push mid">
        <Link onClick={onPrivacy}>
          <span>Nothing leaves{beaten === undefined ? <span class="wide"> this computer</span> : null}</span>
        </Link>
      </span>
    </footer>
  )
}

function Link(props: {onClick: () => void; title?: string; children: ComponentChildren}) {
  return <Button look="quiet" isLittle also="link" {...props} />
}

function StageItem({name, stage}: {name: string; stage: Stage}) {
  const studio = useStudio()
  return (
    <span title={stage.is === 'computing' ? stage.words : undefined}>
      {name} <StateMark stage={stage} />
      {stage.is === 'failed' ? <Link onClick={() => studio.say(new Error(stage.message))}>why</Link> : null}
    </span>
  )
}

/** "1 fault, 2 notes"; on narrow screens the worst alone. */
function FindingCounts({findings}: {findings: readonly Finding[]}) {
  const [worst, ...others] = findings.length === 0 ? ['nothing found'] : findingCounts(findings).split(', ')
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
  const {waits} = useStudio().state.value
  if (waits === undefined) return null
  return (
    <div class="say know fit-now">
      <p>{sentence(waits)}</p>
      <FitButton />
    </div>
  )
}
