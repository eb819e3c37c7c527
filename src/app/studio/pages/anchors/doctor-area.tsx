import {useState} from 'preact/hooks'
import {counted, grouped} from '../../../../base/text/index.ts'
import type {FindingView, Mend} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {isExamined, openFindings} from '../../ui/concept-marks.ts'
import {Button} from '../../ui/controls.tsx'
import {focusSoon} from '../../ui/focus.ts'
import {GoLink} from '../../ui/go-link.tsx'
import {Sentences, Severity} from '../../ui/marks.tsx'

/** Findings of other concepts that are shown at first. */
const FIRST = 1

/** What may be wrong with the anchor: findings of this concept, then those of others. */
export function DoctorArea({concept}: {concept: string}) {
  const studio = useStudio()
  const [isAll, setAll] = useState(false)
  const {counts, numbers, uncovered} = studio.state.value
  const findings = openFindings(studio.state.value, studio.project.value.anchors)
  const isDone = isExamined(studio.state.value)
  const own = findings.filter(finding => finding.concept === concept)
  const others = findings.filter(finding => finding.concept !== concept)
  const shown = isAll ? others : others.slice(0, FIRST)
  return (
    <section class="area" id="doctor" aria-labelledby="doctor-title">
      <div class="head">
        <h2 id="doctor-title" tabIndex={-1}>
          Doctor
        </h2>
        {findings.length > 0 ? (
          <span class="soft">{`${own.length === 0 ? 'none' : grouped(own.length)} here, ${grouped(others.length)} for other concepts`}</span>
        ) : null}
      </div>
      {findings.length === 0 && uncovered.length === 0 ? (
        <p class="soft">
          {counts.is === 'none'
            ? 'Findings need documents and anchors.'
            : isDone
              ? 'Nothing found.'
              : numbers.is === 'computing'
                ? 'Checking …'
                : 'The anchors are checked with the next fit.'}
        </p>
      ) : null}
      {[...own, ...shown].map(finding => (
        <Finding
          key={`${finding.concept} ${finding.kind} ${finding.message}`}
          finding={finding}
          isOwn={finding.concept === concept}
        />
      ))}
      {uncovered.map(text => (
        <div key={text} class="finding">
          <p>
            <Severity is="note" /> <Sentences texts={[text]} />
          </p>
        </div>
      ))}
      {others.length > shown.length ? (
        <div class="rowed more">
          <Button look="quiet" isLittle onClick={() => setAll(true)}>
            Show {counted(others.length - shown.length, 'more', 'more')} for other concepts
          </Button>
        </div>
      ) : null}
    </section>
  )
}

export function Finding({finding, isOwn}: {finding: FindingView; isOwn: boolean}) {
  const {concept, severity, message, remedy, mend, query} = finding
  return (
    <div class="finding">
      <p>
        <Severity is={severity} />{' '}
        {isOwn ? null : (
          <>
            <GoLink to={{concept}}>{concept}</GoLink>
            {': '}
          </>
        )}
        <Sentences texts={[message]} />{' '}
        <span class="soft">
          <Sentences texts={[remedy]} />
        </span>
      </p>
      {mend === undefined && query === undefined ? null : (
        <div class="rowed">
          {mend === undefined ? null : <MendButton mend={mend} />}
          {query === undefined ? null : (
            <GoLink to={{page: 'documents', query, document: undefined}}>its documents</GoLink>
          )}
        </div>
      )}
    </div>
  )
}

function MendButton({mend}: {mend: Mend}) {
  const studio = useStudio()
  const {reading, documents} = studio.project.value
  return (
    <Button
      isLittle
      onClick={() => {
        studio.edit(
          mend.kind === 'negation'
            ? {kind: 'setReading', reading: {...reading, negation: true}, documents}
            : mend.kind === 'remove'
              ? {kind: 'removeMember', concept: mend.concept, feature: mend.feature}
              : {kind: 'moveMember', feature: mend.feature, from: mend.from, to: mend.to}
        )
        focusSoon('#doctor-title', '#card-title')
      }}
    >
      {mend.kind === 'negation' ? (
        'Mark negated words in all documents'
      ) : (
        <>
          {mend.kind === 'remove' ? 'Remove' : 'Move'} <code>{mend.feature}</code>
          {mend.kind === 'remove' ? null : ` to ${mend.to}`}
        </>
      )}
    </Button>
  )
}
