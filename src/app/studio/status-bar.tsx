import type {ComponentChildren} from 'preact'
import {counted, grouped, listed} from '../../base/text/index.ts'
import {findingCounts} from '../present/index.ts'
import type {Stage} from '../session/index.ts'
import {useStudio} from './store.ts'
import {isExamined, openFindings} from './ui/concept-marks.ts'
import {Button} from './ui/controls.tsx'
import {focusSoon} from './ui/keys.ts'
import {CancelButton, StateMark} from './ui/marks.tsx'
import {sentence} from './ui/sentence.ts'

/** Where the project stands, at the foot of every page. */
export function StatusBar() {
  const studio = useStudio()
  const {documents, heldOut, counts, numbers, scores, waits} = studio.state.value
  return (
    <footer class="status-bar">
      <span class="mid">
        {documents > 0 ? counted(documents, 'document') : 'no documents'}
        {heldOut > 0 ? <span class="wide">{` and ${grouped(heldOut)} held out`}</span> : null}
      </span>
      <span class="mid">{counted(studio.project.value.anchors.length, 'concept')}</span>
      <StageItem name="Numbers" stage={numbers} />
      <StageItem name="Scores" stage={scores} />
      {numbers.is === 'computing' || scores.is === 'computing' ? (
        <span class="cancel">
          <CancelButton what="computing" />
        </span>
      ) : null}
      {waits === undefined ? null : (
        <span class="cancel" title={sentence(waits)}>
          <FitButton />
        </span>
      )}
      <Rates />
      {documents > 0 && counts.is !== 'none' ? <Doctor /> : null}
      <span class="push mid">
        <Link
          onClick={() => {
            studio.opened.value = 'privacy'
          }}
        >
          <span>
            Nothing leaves<span class="wide"> this computer</span>
          </span>
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

/** Concepts by where their rates come from. */
function Rates() {
  const studio = useStudio()
  const {rates} = studio.state.value
  const sources = [
    [rates.given, 'given'],
    [rates.labels, 'from labels'],
    [rates.guess, 'not measured']
  ] as const
  const words = listed(sources.flatMap(([count, words]) => (count > 0 ? `${count} ${words}` : [])))
  if (words === '') return null
  return (
    <span class="roomy mid">
      Rates{' '}
      <Link
        title="Rates are measured from 30 or more labelled documents; until then they are typical values"
        onClick={() => studio.go({page: 'label'})}
      >
        {words}
      </Link>
    </span>
  )
}

/** How much the doctor has found, and the way to what it says of the concept at hand, or else of the first concept. */
function Doctor() {
  const studio = useStudio()
  const state = studio.state.value
  const findings = openFindings(state, studio.project.value.anchors)
  const waiting = state.numbers.is === 'computing' ? 'looking …' : 'not checked yet'
  const none = isExamined(state) ? 'nothing found' : waiting
  const go = () => {
    const own = findings.find(({concept}) => concept === studio.view.value.concept) ?? findings[0]
    studio.go({page: 'anchors', ...(own && {concept: own.concept})})
    focusSoon('#doctor-title')
  }
  return (
    <span class="doctor">
      Doctor <Link onClick={go}>{findings.length > 0 ? findingCounts(findings) : none}</Link>
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
