import {batch, computed, effect, type ReadonlySignal, signal} from '@preact/signals'
import {counted} from '../../../../base/text/index.ts'
import type {LabelView, Project, QuestionView} from '../../../session/index.ts'
import type {Studio} from '../../store.ts'

/** Projects whose last edit is an answer: undoing from there takes back an answer and nothing else. */
const answered = new WeakSet<Project>()

/**
 * One question, one answer, then the next question. An answer is taken only for the question on the screen: whoever presses Enter
 * twice answers once. The last question stays on the screen until the next one is there.
 */
export class LabelFlow {
  readonly #studio: Studio
  readonly view = signal<LabelView | undefined>(undefined)
  readonly fault = signal<string | undefined>(undefined)
  readonly ticked = signal<ReadonlySet<string>>(new Set())
  /** Grows by one with every new question. */
  readonly asked = signal(0)
  readonly #answers = signal(0)
  /** The question that was answered and at which revision, until another one is there. */
  #answered: {readonly name: string; readonly revision: number} | undefined
  #isAsking = false
  #isWanted = false
  readonly canUndo: ReadonlySignal<boolean>

  constructor(studio: Studio) {
    this.#studio = studio
    this.canUndo = computed(() => {
      // The project changes before it is known to end in an answer.
      this.#answers.value
      return answered.has(studio.project.value)
    })
  }

  /** Ask whenever labels, concepts or the state of the session have moved on, until the result is called. */
  follow(): () => void {
    const {project, state} = this.#studio
    const moved = computed(() => [project.value.labels, project.value.anchors, state.value.revision])
    return effect(() => {
      moved.value
      this.ask()
    })
  }

  ask(): void {
    this.#isWanted = true
    if (!this.#isAsking) void this.#run()
  }

  tick(concept: string): void {
    if (this.#answered !== undefined) return
    const ticked = new Set(this.ticked.value)
    if (!ticked.delete(concept)) {
      for (const other of this.#excludedBy(concept)) ticked.delete(other)
      ticked.add(concept)
    }
    this.ticked.value = ticked
  }

  /** Of the question on the screen; the concepts that are ticked where nothing else is given. */
  async answer(given?: readonly string[] | 'skip'): Promise<void> {
    const question = this.view.value?.question
    if (question === undefined || this.#answered !== undefined) return
    const {session, state} = this.#studio
    const present = given ?? question.concepts.map(({name}) => name).filter(name => this.ticked.value.has(name))
    this.#answered = {name: nameOf(question), revision: state.value.revision}
    try {
      const labels = await session.answer(present)
      this.#answered = {name: nameOf(question), revision: state.value.revision}
      this.#studio.edit({kind: 'setLabels', labels, words: wordsOf(question, present)})
      answered.add(this.#studio.project.value)
      this.#answers.value++
      this.ask()
    } catch (error) {
      this.#answered = undefined
      this.#studio.say(error as Error)
    }
  }

  /** Take the last answer back; its question is asked again. */
  undo(): void {
    if (this.#answered === undefined && this.canUndo.value) this.#studio.undo()
  }

  async #run(): Promise<void> {
    this.#isAsking = true
    while (this.#isWanted) {
      this.#isWanted = false
      try {
        const view = await this.#studio.session.question()
        if (!this.#isWanted) this.#show(view)
      } catch (error) {
        if (!this.#isWanted) this.fault.value = (error as Error).message
      }
    }
    this.#isAsking = false
  }

  /** Of the same question as before only the progress is new: ticks keep their order under the hand. */
  #show(view: LabelView): void {
    const before = this.view.value?.question
    const isSame = before !== undefined && view.question !== undefined && nameOf(before) === nameOf(view.question)
    const isOpen =
      this.#answered !== undefined && isSame && this.#answered.revision === this.#studio.state.value.revision
    batch(() => {
      this.fault.value = undefined
      // The session has not seen the answer yet: its state will say when it has.
      if (isOpen) return
      const isAgain = isSame && this.#answered === undefined
      this.#answered = undefined
      this.view.value = isAgain ? {...view, question: before} : view
      if (isAgain) return
      const presets = (view.question?.concepts ?? []).filter(({isPreset}) => isPreset)
      this.ticked.value = new Set(presets.map(({name}) => name))
      this.asked.value++
    })
  }

  /** Concepts of which at most one holds beside this one. */
  #excludedBy(concept: string): string[] {
    const {anchors} = this.#studio.project.value
    const group = anchors.find(anchor => anchor.concept === concept)?.exclusive?.group
    return group === undefined
      ? []
      : anchors.flatMap(({concept, exclusive}) => (exclusive?.group === group ? concept : []))
  }
}

function nameOf({at, drawn, concepts}: QuestionView): string {
  return JSON.stringify([at, drawn, drawn === 'anchored' ? concepts[0]?.name : ''])
}

/** "label emergency-000146: 2 concepts". */
function wordsOf({name, drawn, concepts}: QuestionView, present: readonly string[] | 'skip'): string {
  if (present === 'skip') return `skip ${name}`
  if (drawn === 'anchored') return `label ${name}: ${concepts[0]?.name} ${present.length > 0 ? 'yes' : 'no'}`
  return `label ${name}: ${present.length === 0 ? 'no concept' : counted(present.length, 'concept')}`
}
