import type {Anchors} from '../../read/data/index.ts'
import type {Probe} from '../desk/index.ts'
import type {Answered} from './use-answer.ts'

/** What was asked of the desk while someone types. */
export interface ProbeQuestion {
  readonly concept: string
  readonly feature: string
}

/** What is known of a typed feature, and so what may be done with it. */
export type Verdict =
  | {readonly is: 'idle'}
  /** The answer is on its way; `probe` is that of an earlier key. */
  | {readonly is: 'asking'; readonly probe?: Probe | undefined}
  /** There are no documents to look it up in. */
  | {readonly is: 'unread'}
  | {readonly is: 'member' | 'veto'}
  | {readonly is: 'taken'; readonly by: string}
  | {readonly is: 'bad'; readonly message: string}
  | {readonly is: 'nowhere'; readonly didYouMean?: string | undefined}
  | {readonly is: 'fine'; readonly probe: Probe}

export function verdictOf(
  {concept, feature}: ProbeQuestion,
  anchors: Anchors,
  hasDocuments: boolean,
  asked: Answered<ProbeQuestion, Probe> | undefined
): Verdict {
  if (feature === '') return {is: 'idle'}
  const own = anchors.find(anchor => anchor.concept === concept)
  if (own?.any.includes(feature)) return {is: 'member'}
  if (own?.not.includes(feature)) return {is: 'veto'}
  const other = anchors.find(({any}) => any.includes(feature))
  if (other !== undefined) return {is: 'taken', by: other.concept}
  if (!hasDocuments) return {is: 'unread'}
  if (asked?.of.feature !== feature || asked.of.concept !== concept) return {is: 'asking', probe: asked?.answer}
  const {answer, fault} = asked
  if (fault !== undefined) return {is: 'bad', message: fault.message}
  if (answer === undefined) return {is: 'asking'}
  if (answer.takenBy !== undefined) return {is: 'taken', by: answer.takenBy}
  return answer.documents === 0 ? {is: 'nowhere', didYouMean: answer.didYouMean} : {is: 'fine', probe: answer}
}

/** Whether it can be added; a feature that occurs nowhere only by someone who has read that. */
export function canAdd({is}: Verdict, hasSeen: boolean): boolean {
  return is === 'fine' || is === 'unread' || (is === 'nowhere' && hasSeen)
}

/** Whether something else must be done first. */
export function isRefused({is}: Verdict): boolean {
  return is === 'member' || is === 'veto' || is === 'taken' || is === 'bad'
}

/** The member as the other concept spells it: `ETOH` and `text:etoh` may be one feature. */
export function spelledBy(concept: string, feature: string, anchors: Anchors): string {
  const bare = (name: string) => name.slice(name.startsWith('/') ? 0 : name.indexOf(':') + 1).toLowerCase()
  const {any = []} = anchors.find(anchor => anchor.concept === concept) ?? {}
  return any.find(name => name === feature) ?? any.find(name => bare(name) === bare(feature)) ?? feature
}
