import {counted, listed} from '../../base/text/index.ts'
import type {FindingView, Stage} from '../desk/index.ts'
import type {Shell} from './create-studio.ts'
import {Button, Meter, StateMark} from './parts.tsx'

/** Where the project stands, at the foot of every page. */
export function Strip({shell, onSeal}: {shell: Shell; onSeal: () => void}) {
  const {documents, numbers, scores, rates, findings} = shell.state.value
  const concepts = shell.project.value.anchors.length
  const ratesText = listed(
    Object.entries(rates)
      .filter(([, count]) => count > 0)
      .map(([source, count]) => `${count} ${source}`)
  )
  return (
    <footer class="strip">
      <span class="mid">{documents > 0 ? counted(documents, 'document') : 'no documents'}</span>
      <span class="mid">{counted(concepts, 'concept')}</span>
      <StageItem shell={shell} name="Numbers" stage={numbers} />
      <StageItem shell={shell} name="Scores" stage={scores} />
      {ratesText ? <span class="roomy mid">Rates: {ratesText}</span> : null}
      {documents > 0 ? (
        <span>
          Doctor{' '}
          <Button look="quiet" isLittle also="link" onClick={() => openDoctor(shell)}>
            {findingCounts(findings)}
          </Button>
        </span>
      ) : null}
      <span class="push mid">
        <Button look="quiet" isLittle also="link" onClick={onSeal}>
          Nothing leaves this computer
        </Button>
      </span>
    </footer>
  )
}

function StageItem({shell, name, stage}: {shell: Shell; name: string; stage: Stage}) {
  return (
    <span title={stage.is === 'computing' ? stage.words : undefined}>
      {name} <StateMark stage={stage} />
      {stage.is === 'computing' ? (
        <>
          {stage.share === undefined ? null : <Meter share={stage.share} />}
          <Button isLittle onClick={() => shell.desk.cancel().catch(shell.say)}>
            Cancel<span class="unseen"> {name}</span>
          </Button>
        </>
      ) : null}
      {stage.is === 'failed' ? (
        <Button look="quiet" isLittle also="link" onClick={() => shell.say(new Error(stage.message))}>
          why
        </Button>
      ) : null}
    </span>
  )
}

function openDoctor(shell: Shell): void {
  shell.go({page: 'anchors'})
  // When the page is there.
  requestAnimationFrame(() => {
    document.getElementById('doctor')?.scrollIntoView()
    document.getElementById('doctor-title')?.focus()
  })
}

/** "1 fault, 2 notes". */
export function findingCounts(findings: readonly FindingView[]): string {
  const counts = (['fault', 'warning', 'note'] as const).flatMap(severity => {
    const count = findings.filter(finding => finding.severity === severity).length
    return count > 0 ? [counted(count, severity)] : []
  })
  return counts.join(', ') || 'nothing found'
}
