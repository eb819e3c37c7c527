/** Which document to label next, and how far labelling is: the session of `adfa label`, over the labels of the project. */
import {AdfaError} from '../../base/checks/index.ts'
import {type Lexicon, labelKey} from '../../read/data/index.ts'
import {
  anchorTotals,
  checkLabelRow,
  DocumentDraw,
  type Draw,
  type DrawnDocument,
  type LabelRow,
  LabelSession,
  type Question
} from '../../use/labelling/index.ts'
import {createReader} from './document-views.ts'
import {repeatedWords} from './documents.ts'
import type {Encoded} from './encode.ts'
import type {Facts} from './facts.ts'

/** Intervals narrower than this factor are enough, as for `adfa label`. */
const NARROW = 3

/** With more, a label would soon match several documents, and no model could be learned. */
const MOST_REPEATED = 0.1

type Questions = ReturnType<typeof createQuestions>
export type LabelView = Awaited<ReturnType<Questions['view']>>
export type QuestionView = NonNullable<LabelView['question']>

export function createQuestions() {
  let last: {readonly lexicon: Lexicon; readonly looked: ReadonlySet<string>; readonly draw: Draw} | undefined

  /** The draw depends on documents and anchors; labels add documents to look up. */
  const drawn = async ({project, documents, work}: Facts, {lexicon, options, evidence}: Encoded): Promise<Draw> => {
    const keys = new Set(project.labels.map(({id}) => String(id)))
    const known = last?.lexicon === lexicon ? last : undefined
    if (known !== undefined && [...keys].every(key => known.looked.has(key))) return known.draw
    const drawing = new DocumentDraw(lexicon, {seed: options.seed ?? 0}, key => keys.has(key))
    await work.each(documents.count, at => drawing.add(documents.row(at), evidence(at)))
    const draw = drawing.finish()
    last = {lexicon, looked: new Set([...keys, ...drawnDocuments(draw).keys()]), draw}
    return draw
  }

  /** The rows that do not fit the concepts as they are now are kept `aside`, and their documents are asked about again. */
  const open = async (facts: Facts) => {
    const {encoded} = facts.results
    if (encoded === undefined)
      throw new AdfaError('bad-option', 'labelling needs documents, and concepts with anchors; add them first')
    const draw = await drawn(facts, encoded)
    const documents = drawnDocuments(draw)
    const concepts = encoded.lexicon.anchors.map(({concept}) => concept)
    const fits = (row: LabelRow) => {
      try {
        checkLabelRow(row, documents.get(String(row.id)), concepts, 'labels')
        return true
      } catch (error) {
        if (error instanceof AdfaError) return false
        throw error
      }
    }
    const {labels} = facts.project
    const fitting = labels.filter(fits)
    const task = {concepts, draw, totals: anchorTotals(encoded.counts), narrow: NARROW}
    return {session: new LabelSession(task, fitting), aside: labels.filter(row => !fitting.includes(row))}
  }

  return {
    async view(facts: Facts) {
      const {documents: all} = facts
      if (all.repeated > MOST_REPEATED * all.count)
        throw new AdfaError(
          'bad-option',
          `${repeatedWords(all)}; labels are matched by id, so give each document an id of its own, or choose another column on Start`
        )
      const {session, aside} = await open(facts)
      const {question, concepts} = session
      return {
        concepts,
        progress: session.progress(),
        narrow: NARROW,
        ...(question && {question: questionView(facts, question, session, aside)})
      }
    },

    /** The label rows of the project with one more answer. */
    async answer(facts: Facts, present: readonly string[] | 'skip'): Promise<readonly LabelRow[]> {
      const {session, aside} = await open(facts)
      const {question, concepts} = session
      if (question === undefined) throw new AdfaError('bad-option', 'every question is answered; there is none left')
      const before = new Set(session.rows)
      if (present === 'skip') session.skip()
      else {
        const stranger = present.find(name => !concepts.includes(name))
        if (stranger !== undefined)
          throw new AdfaError('bad-option', `"${stranger}" is not asked about; the concepts are ${concepts.join(', ')}`)
        session.answer(new Set(present.map(name => concepts.indexOf(name))))
      }
      const kept = new Set(session.rows)
      const added = session.rows.filter(row => !before.has(row))
      const left = facts.project.labels.flatMap(row => {
        if (kept.has(row)) return [row]
        return aside.includes(row) ? withoutAnswers(row, question.document.key, added) : []
      })
      return [...left, ...added]
    }
  }
}

function drawnDocuments({random, anchored, wanted}: Draw): ReadonlyMap<string, DrawnDocument> {
  return new Map([...wanted.values(), ...anchored.flat(), ...random].map(one => [one.key, one]))
}

/** An older row without what is answered now; nothing where nothing is left. */
function withoutAnswers(row: LabelRow, key: string, added: readonly LabelRow[]): LabelRow[] {
  if (String(row.id) !== key) return [row]
  const answered = new Set(added.flatMap(({labels}) => [...labels.keys()]))
  const labels = new Map([...row.labels].filter(([concept]) => !answered.has(concept)))
  return labels.size === 0 ? [] : [{...row, labels}]
}

function questionView(
  facts: Facts,
  {drawn, document, ...question}: Question,
  {concepts, preset}: LabelSession,
  aside: readonly LabelRow[]
) {
  const {documents} = facts
  const said = aside.filter(({id}) => String(id) === document.key)
  const isPreset = (name: string) => preset.has(concepts.indexOf(name)) || said.some(({labels}) => labels.get(name))
  const asked = 'concept' in question ? [concepts[question.concept]] : concepts
  const at = documents.numberOf(labelKey(document.row)) ?? 0
  return {
    at,
    name: documents.name(at),
    drawn,
    parts: createReader(facts)(document.row),
    concepts: asked.map(name => ({name, isPreset: isPreset(name)}))
  }
}
