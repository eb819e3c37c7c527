import {useMemo} from 'preact/hooks'
import {grouped, percent} from '../../../../base/text/index.ts'
import type {Estimate} from '../../../../use/facts/index.ts'
import {FitNow} from '../../status-bar.tsx'
import {useStudio} from '../../store.ts'
import {type ConceptMark, conceptMark, greatestShare, openFindings} from '../../ui/concept-marks.ts'
import {OpenButton} from '../../ui/controls.tsx'
import {GoLink} from '../../ui/go-link.tsx'
import {closePopover, useListKeys} from '../../ui/keys.ts'
import {Whisker} from '../../ui/marks.tsx'
import {useSliced} from '../../ui/rows.ts'
import {ManyConcepts, NameConcept} from './add-concepts.tsx'

/** All concepts with their mark and prevalence. The list is one tab stop; below 768 px it opens from a button. */
export function ConceptList({current}: {current: string}) {
  const studio = useStudio()
  const {anchors} = studio.project.value
  const names = useMemo(() => anchors.map(({concept}) => concept), [anchors])
  return (
    <div class="side">
      <div class="head">
        <h1>Anchors</h1>
        <NameConcept />
      </div>
      <FitNow />
      <OpenButton opens="concepts" also="fold-button">
        {`${current}, ${grouped(names.indexOf(current) + 1)} of ${grouped(names.length)} concepts`}
      </OpenButton>
      <div class="fold" id="concepts" popover="auto">
        <Rows names={names} current={current} />
      </div>
      <div class="rowed more-concepts">
        <ManyConcepts />
      </div>
    </div>
  )
}

function Rows({names, current}: {names: readonly string[]; current: string}) {
  const studio = useStudio()
  const state = studio.state.value
  const {anchors} = studio.project.value
  const findings = useMemo(() => openFindings(state, anchors), [state, anchors])
  const known = useMemo(() => new Map(state.concepts.map(({name, rates}) => [name, rates?.prevalence])), [state])
  const drawn = useSliced(names.length)
  const isOld = state.numbers.is === 'old' || state.numbers.is === 'computing'
  const {stop, onKeyDown, onFocus} = useListKeys(names.length, names.indexOf(current), linkAt)
  return (
    <ul
      class={isOld ? 'concepts stale' : 'concepts'}
      aria-label="Concepts and the share of documents that have them"
      onKeyDown={onKeyDown}
    >
      {names.slice(0, drawn).map((name, at) => (
        <Row
          key={name}
          {...{name, at, onFocus}}
          mark={conceptMark(state, findings, name)}
          prevalence={known.get(name)}
          max={greatestShare(state)}
          isCurrent={name === current}
          isStop={at === stop}
        />
      ))}
    </ul>
  )
}

const linkAt = (at: number) => `.concepts li:nth-child(${at + 1}) a`

interface RowProps {
  readonly name: string
  readonly at: number
  readonly mark: ConceptMark
  /** Undefined where nobody measured it. */
  readonly prevalence: Estimate | undefined
  readonly max: number
  readonly isCurrent: boolean
  readonly isStop: boolean
  readonly onFocus: (at: number) => void
}

function Row({name, at, mark, prevalence, max, isCurrent, isStop, onFocus}: RowProps) {
  const {value, low, high} = prevalence ?? {}
  // Hundreds of rows: only those that look different are drawn again.
  return useMemo(
    () => (
      <li>
        <GoLink
          to={{concept: name}}
          isCurrent={isCurrent}
          tabIndex={isStop ? 0 : -1}
          onFocus={() => onFocus(at)}
          onGone={() => closePopover('concepts')}
        >
          <span class={`sign ${mark.is}`} aria-hidden="true">
            {mark.sign}
          </span>
          <span class="name" title={name}>
            {name}
            <span class="unseen">{`, ${mark.words}`}</span>
          </span>
          {prevalence === undefined ? <span class="whisker" /> : <Whisker estimate={prevalence} max={max} />}
          <span class="n">
            {prevalence === undefined ? '?' : percent(prevalence.value)}
            {prevalence === undefined ? <span class="unseen"> prevalence not known</span> : null}
          </span>
        </GoLink>
      </li>
    ),
    [name, at, mark.words, value, low, high, max, isCurrent, isStop]
  )
}
