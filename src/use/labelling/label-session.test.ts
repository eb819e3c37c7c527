import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import type {DrawnDocument} from './draw-documents.ts'
import {labelRowsToText, parseLabelRows} from './label-rows.ts'
import {LabelSession, planQuestions} from './label-session.ts'
import {smallDocuments, smallTask, toRow} from './test-task.ts'

const task = smallTask()
const truths = new Map(smallDocuments().map(({id, tags}) => [String(id), tags]))

/** Answer the question with the truth. */
function answerTruly(session: LabelSession): void {
  const key = session.question?.document.key ?? ''
  session.answer(new Set(truths.get(key)?.map(tag => session.concepts.indexOf(tag))))
}

function savedAndOpened(session: LabelSession): LabelSession {
  return new LabelSession(task, parseLabelRows(labelRowsToText(session.rows), 'saved'), 'saved')
}

/** What can be seen of a session. */
function seen(session: LabelSession) {
  const {question} = session
  return {
    text: labelRowsToText(session.rows),
    question: question && [question.document.key, question.drawn],
    left: session.remaining().length,
    progress: session.progress()
  }
}

describe('LabelSession', () => {
  it('new LabelSession(task, rows) goes on after any answers, skips and undos as if it had never been closed', () => {
    const step = fc.constantFrom('answer', 'answer', 'answer', 'none', 'skip', 'undo', 'reopen')
    fc.assert(
      fc.property(fc.array(step, {maxLength: 60}), steps => {
        let session = new LabelSession(task)
        let model: string[] = []
        for (const step of steps) {
          if (step === 'reopen') {
            const before = session.rows.length
            session = savedAndOpened(session)
            expect(session.rows).toHaveLength(before)
          } else if (step === 'undo') {
            expect(session.undo()).toBe(model.length > 0)
            model = model.slice(0, -1)
          } else if (session.question !== undefined) {
            const {key} = session.question.document
            if (step === 'answer') answerTruly(session)
            else if (step === 'none') session.answer(new Set())
            else session.skip()
            model = [...model, key]
          }
          expect(session.rows.map(({id}) => String(id))).toEqual(model)
        }
        const again = savedAndOpened(session)
        expect(labelRowsToText(again.rows)).toBe(labelRowsToText(session.rows))
        expect(again.remaining()).toEqual(session.remaining())
        expect(again.progress()).toEqual(session.progress())
      }),
      {numRuns: 25}
    )
  })

  it('undo() asks the same question again with what was ticked, as often as there are answers, and then refuses', () => {
    const session = new LabelSession(task)
    const states = [seen(session)]
    const ticked: number[][] = []
    for (let n = 0; n < 25; n++) {
      const present = new Set([n % 3])
      ticked.push(session.question?.drawn === 'random' ? [n % 3] : [])
      session.answer(session.question?.drawn === 'random' ? present : new Set())
      states.push(seen(session))
    }
    const reopened = savedAndOpened(session)
    for (let n = 24; n >= 0; n--) {
      expect(reopened.undo()).toBe(true)
      expect(seen(reopened)).toEqual(states[n])
      expect([...reopened.preset]).toEqual(ticked[n])
    }
    expect(reopened.undo()).toBe(false)
    for (let n = 1; n <= 25; n++) {
      reopened.answer(reopened.preset)
      expect(seen(reopened)).toEqual(states[n])
    }
  })

  it('undo() keeps the fields of other programs for the new answer', () => {
    const {key} = task.draw.random[0]
    const text = `{"id":${key},"labels":{"fever":true,"cough":false,"rash":false},"drawn":"random","reader":"ann"}\n`
    const session = new LabelSession(task, parseLabelRows(text, 'x'))
    session.undo()
    session.answer(new Set([2]))
    expect(labelRowsToText(session.rows)).toBe(
      `{"id":${key},"labels":{"fever":false,"cough":false,"rash":true},"drawn":"random","reader":"ann"}\n`
    )
  })

  it('answer(...) for a whole document stands for short answers on it, and undo() brings them back', () => {
    const short = task.draw.anchored[0][0]
    const text = `{"id":${short.key},"labels":{"fever":true},"drawn":"anchored"}\n`
    const larger = smallTask({documents: 300, anchored: 2})
    const session = new LabelSession(larger, parseLabelRows(text, 'x'))
    while (session.question?.document.key !== short.key) session.skip()
    expect([...session.preset]).toEqual([0])
    expect(session.question.drawn).toBe('random')
    session.progress()
    session.answer(new Set([1]))
    expect(session.progress()).toEqual(new LabelSession(larger, session.rows).progress())
    expect(session.rows.filter(({id}) => String(id) === short.key)).toHaveLength(1)
    expect(session.rows.at(-1)?.labels.get('fever')).toBe(false)
    session.undo()
    expect(session.rows.filter(({id}) => String(id) === short.key).map(({drawn}) => drawn)).toEqual(['anchored'])
    session.skip()
    expect(session.rows.filter(({id}) => String(id) === short.key).map(({drawn}) => drawn)).toEqual([
      'anchored',
      'random'
    ])
  })

  it('question is undefined when all is answered, and progress() says that it is enough', () => {
    const session = new LabelSession(task)
    expect(session.progress().enough).toBeUndefined()
    let asked = 0
    for (; session.question !== undefined; asked++) answerTruly(session)
    expect(asked).toBe(40 + task.draw.anchored.flat().length)
    expect(session.progress()).toMatchObject({documents: 40, least: 40, goal: 40})
    expect(session.progress().enough).toBeDefined()
  })

  it('remaining() has no short question on a document that is labelled whole', () => {
    const {key} = task.draw.anchored[0][0]
    const text = `{"id":${key},"labels":{"fever":true,"cough":false,"rash":false},"drawn":"random"}\n`
    const session = new LabelSession(task, parseLabelRows(text, 'x'))
    expect(session.remaining().some(({document}) => document.key === key)).toBe(false)
  })

  it('skip() leaves the document out of the goal and of every count', () => {
    const session = new LabelSession(task)
    session.skip()
    answerTruly(session)
    expect(session.progress()).toMatchObject({documents: 1, goal: 39})
    expect(session.remaining()[0].document.key).toBe(task.draw.random[2].key)
  })

  it.each([
    [
      '{"id":"nobody","labels":{"fever":true,"cough":true,"rash":true},"drawn":"random"}',
      /"nobody" is not among the documents/
    ],
    [
      '{"id":0,"labels":{"flu":true},"drawn":"random"}',
      /has a label for "flu", which is not a concept here \('fever', 'cough', 'rash'\)/
    ],
    ['{"id":0,"labels":{"fever":true},"drawn":"random"}', /has no label for "cough"/],
    ['{"id":0,"labels":{"fever":true,"cough":true,"rash":true}}', /lacks "drawn"/],
    ['{"id":0,"labels":{"fever":true,"cough":true},"drawn":"anchored"}', /has 2 labels/],
    ['{"id":0,"labels":{},"drawn":"anchored"}', /has 0 labels/],
    ['{"id":0,"labels":{},"drawn":"anchored","skipped":true,"concept":"flu"}', /label for "flu"/]
  ])('new LabelSession(...) refuses %s', (line, message) => {
    const wanting = smallTask({documents: 5}, {wanted: key => key === '0'})
    const open = () => new LabelSession(wanting, parseLabelRows(line, 'old.jsonl'), 'old.jsonl')
    expect(open).toThrow(message)
    expect(open).toThrow(/^old\.jsonl: .*or choose another `output` file$/)
  })

  it('new LabelSession(...) refuses an answer on an anchor that no longer fires', () => {
    const silent = smallTask({documents: 300}).draw.random.find(({evidence}) => !evidence.anchors.includes(2))
    const row = parseLabelRows(`{"id":${silent?.key},"labels":{"rash":true},"drawn":"anchored"}`, 'x')
    expect(() => new LabelSession(smallTask({documents: 300}), row)).toThrow(/anchor of "rash", which does not fire/)
  })
})

function documents(prefix: string, count: number): DrawnDocument[] {
  const evidence = {words: [], anchors: [], members: []}
  return Array.from({length: count}, (_, at) => {
    const id = `${prefix}${at}`
    return {key: id, row: toRow({id, text: ''}), evidence}
  })
}

describe('planQuestions', () => {
  it('planQuestions(...) asks short questions in even blocks after every ten documents, done by the hundredth', () => {
    const anchored = [documents('a', 3), documents('b', 3), documents('c', 3), documents('d', 1)]
    const plan = planQuestions({random: documents('r', 200), anchored})
    expect(plan).toHaveLength(210)
    // One short question after each of the first ten blocks: a round of all concepts, then the next round.
    const short = plan.flatMap(({drawn, document}, at) => (drawn === 'anchored' ? [[document.key, at]] : []))
    expect(short).toEqual(
      ['a0', 'b0', 'c0', 'd0', 'a1', 'b1', 'c1', 'a2', 'b2', 'c2'].map((key, n) => [key, 11 * n + 10])
    )
    const whole = plan.filter(({drawn}) => drawn === 'random').map(({document}) => document.key)
    expect(whole).toEqual(documents('r', 200).map(({key}) => key))
  })

  it('planQuestions(...) asks every question once, however few documents there are', () => {
    for (const count of [0, 1, 9, 10, 11, 35, 99, 101]) {
      const plan = planQuestions({random: documents('r', count), anchored: [documents('a', 7)]})
      expect(new Set(plan.map(({document}) => document.key)).size).toBe(count + 7)
      expect(plan).toHaveLength(count + 7)
    }
  })
})
