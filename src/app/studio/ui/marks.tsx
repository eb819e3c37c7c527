import {isPoint, percent} from '../../../base/text/index.ts'
import type {Severity as SeverityName} from '../../../use/advice/index.ts'
import type {Estimate} from '../../../use/facts/index.ts'
import type {Stage} from '../../session/index.ts'
import {useStudio} from '../store.ts'
import {Button} from './controls.tsx'

/** A state by shape, word and colour; what is missing is said in words alone, of `what` where that is not said before. */
export function StateMark({stage, what}: {stage: Stage; what?: string}) {
  if (stage.is === 'none')
    return <span class="soft">{`${what ? `${what} ` : ''}need ${stage.needs}${what ? '.' : ''}`}</span>
  const share = stage.is === 'computing' && stage.share !== undefined ? ` ${Math.floor(100 * stage.share)}%` : ''
  return <span class={`state ${stage.is}`}>{`${stage.is}${share}`}</span>
}

export function Severity({is, children}: {is: SeverityName; children?: string}) {
  return <span class={`severity ${is}`}>{children ?? is}</span>
}

/**
 * A probability among others, with at most one decimal: "<0.1%", "0.4%", "12%", ">99.9%". Nothing is certain.
 * A score only ranks documents and is shown as a plain number: "0.97".
 */
export function chance(share: number, isScore = false): string {
  if (isScore) return share.toFixed(2)
  if (share < 0.001) return '<0.1%'
  if (share > 0.999) return '>99.9%'
  return share < 0.0095 ? `${(100 * share).toFixed(1)}%` : percent(share)
}

/** "10% to 13%"; nothing where no interval is known. */
export function rangeText({value, low = value, high = value}: Estimate): string {
  return isPoint(low, high) ? '' : `${percent(low)} to ${percent(high)}`
}

/** The interval of a share on a track from 0 to `max`. */
export function Whisker({estimate, max, width = 44}: {estimate: Estimate; max: number; width?: number}) {
  const place = (share: number) => (3 + (width - 6) * Math.min(1, share / max)).toFixed(1)
  const {value, low = value, high = value} = estimate
  const [from, to] = [place(low), place(high)]
  const said = low === high ? percent(value) : `${percent(value)}, between ${percent(low)} and ${percent(high)}`
  return (
    <svg class="whisker" width={width} height="16" viewBox={`0 0 ${width} 16`} role="img" aria-label={said}>
      <path class="track" d={`M0 8H${width}`} />
      <path class="span" d={`M${from} 8H${to}`} />
      <path class="end" d={`M${from} 4.5v7M${to} 4.5v7`} />
      <circle class="dot" cx={place(value)} cy="8" r="3" />
    </svg>
  )
}

/** How far something is; `tick` marks what is enough. */
export function Meter({share, tick}: {share: number; tick?: number}) {
  return (
    <svg class="meter" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="all" width="100" height="8" rx="1" />
      <rect class="done" width={(100 * Math.min(1, share)).toFixed(1)} height="8" rx="1" />
      {tick === undefined ? null : <path class="tick" d={`M${(100 * tick).toFixed(1)} 0V8`} />}
    </svg>
  )
}

/** What runs, how far it is, and its end, in a line. */
export function Working(props: {what: string; words?: string; canCancel?: boolean}) {
  const {progress} = useStudio()
  const {words = props.words ?? 'at work', share} = progress.value ?? {}
  return (
    <span class="rowed" role="status">
      <span class="state computing">{words}</span>
      {share === undefined ? null : <Meter share={share} />}
      {props.canCancel === false ? null : <CancelButton what={props.what} />}
    </span>
  )
}

/** Ends what the session is doing. */
export function CancelButton({what}: {what: string}) {
  const studio = useStudio()
  return (
    <Button isLittle of={what} onClick={() => studio.session.cancel().catch(studio.say)}>
      Cancel
    </Button>
  )
}

/** Shown until the figures after the last edit are there. */
export function OldFigures() {
  return (
    <>
      <StateMark stage={{is: 'old'}} /> From before your last change.
    </>
  )
}
