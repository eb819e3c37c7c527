import {grouped} from '../../../../base/text/index.ts'
import {type Finding, type Mend, mendOf} from '../../../../use/advice/index.ts'
import {findingLine, paragraph, plainText, type RemedyPlaces, uncoveredText} from '../../../present/index.ts'
import {useStudio} from '../../store.ts'
import {Area, useFew} from '../../ui/area.tsx'
import {Results} from '../../ui/blocks.tsx'
import {isExamined, openFindings} from '../../ui/concept-marks.ts'
import {Button} from '../../ui/controls.tsx'
import {GoLink} from '../../ui/go-link.tsx'
import {focusSoon} from '../../ui/keys.ts'

/** Findings of other concepts that are shown at first. */
const FIRST = 1

/** What may be wrong with the anchor: findings of this concept, then those of others. */
export function DoctorArea({concept}: {concept: string}) {
  const studio = useStudio()
  const {counts, numbers, uncovered} = studio.state.value
  const findings = openFindings(studio.state.value, studio.project.value.anchors)
  const own = findings.filter(finding => finding.concept === concept)
  const others = findings.filter(finding => finding.concept !== concept)
  const [shown, more] = useFew(others, FIRST)
  const waiting = numbers.is === 'computing' ? 'Checking …' : 'The anchors are checked with the next fit.'
  const none = isExamined(studio.state.value) ? 'Nothing found.' : waiting
  const here = own.length === 0 ? 'none' : grouped(own.length)
  const summary = findings.length > 0 ? `${here} here, ${grouped(others.length)} for other concepts` : ''
  return (
    <Area also="doctor" title="Doctor" id="doctor-title" aside={<span class="soft">{summary}</span>}>
      {findings.length === 0 && uncovered.length === 0 ? (
        <p class="soft">{counts.is === 'none' ? 'Findings need documents and anchors.' : none}</p>
      ) : null}
      <Findings findings={own} />
      <Findings findings={shown} isNamed />
      {uncovered.map(group => (
        <div key={group.words[0]} class="finding">
          <Results blocks={[paragraph([{text: 'note', look: 'note'}, ' ', uncoveredText(group)])]} />
        </div>
      ))}
      {more}
    </Area>
  )
}

const PLACES: RemedyPlaces = {suggestions: 'see Suggested words', forms: 'see Suggested words'}

export function Findings({findings, isNamed = false}: {findings: readonly Finding[]; isNamed?: boolean}) {
  return (
    <>
      {findings.map(finding => {
        const {concept, evidence} = finding
        const mend = mendOf(finding)
        const line = findingLine(finding, PLACES, {isNamed, isTagged: true})
        return (
          <div class="finding" key={plainText(line)}>
            <Results blocks={[paragraph(line)]} />
            <div class="rowed">
              {mend && <MendButton mend={mend} />}
              {'feature' in evidence ? (
                <GoLink to={{page: 'documents', query: {concept, has: evidence.feature}, document: undefined}}>
                  its documents
                </GoLink>
              ) : null}
            </div>
          </div>
        )
      })}
    </>
  )
}

function MendButton({mend}: {mend: Mend}) {
  const studio = useStudio()
  const {reading, documents} = studio.project.value
  const edit = () => {
    if (mend.kind === 'negation') studio.edit({kind: 'setReading', reading: {...reading, negation: true}, documents})
    else if (mend.kind === 'remove') studio.edit({...mend, kind: 'removeMember'})
    else studio.edit({...mend, kind: 'moveMember'})
    focusSoon('#doctor-title', '#card-title')
  }
  return (
    <Button isLittle onClick={edit}>
      {mend.kind === 'negation' ? 'Mark negated words in all documents' : null}
      {mend.kind === 'remove' ? ['Remove ', <code key="word">{mend.feature}</code>] : null}
      {mend.kind === 'move' ? ['Move ', <code key="word">{mend.feature}</code>, ` to ${mend.to}`] : null}
    </Button>
  )
}
