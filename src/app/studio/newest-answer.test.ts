import fc from 'fast-check'
import {expect, test} from 'vitest'
import {type Asked, NewestAnswer} from './newest-answer.ts'

/** Questions that are answered by hand, in the order they were asked. */
function byHand() {
  const open: {question: string; answer(value: string): void; refuse(error: Error): void}[] = []
  const told: Asked<string, string>[] = []
  const answers = new NewestAnswer<string, string>(
    question => new Promise((answer, refuse) => open.push({question, answer, refuse})),
    asked => told.push(asked)
  )
  return {answers, open, told, last: () => told[told.length - 1]}
}

const settled = () => new Promise(resolve => setTimeout(resolve, 0))

test('one question at a time, and of those that waited the newest only', async () => {
  const {answers, open, last} = byHand()
  for (const text of ['e', 'et', 'eto', 'etoh']) answers.want(text)
  expect(open.map(({question}) => question)).toEqual(['e'])
  open[0].answer('many')
  await settled()
  expect(last()).toEqual({question: 'etoh'})
  expect(open.map(({question}) => question)).toEqual(['e', 'etoh'])
  open[1].answer('1,150')
  await settled()
  expect(last()).toEqual({question: 'etoh', of: 'etoh', answer: '1,150'})
})

test('the last answer stays until the next, and says what it is of', async () => {
  const {answers, open, last} = byHand()
  answers.want('et')
  open[0].answer('7')
  await settled()
  answers.want('eto')
  expect(last()).toEqual({question: 'eto', of: 'et', answer: '7'})
})

test('a refusal takes the place of an answer', async () => {
  const {answers, open, last} = byHand()
  answers.want('/(/')
  open[0].refuse(new Error('Unterminated group'))
  await settled()
  expect(last()).toEqual({question: '/(/', of: '/(/', fault: new Error('Unterminated group')})
})

test('what was cleared is not answered', async () => {
  const {answers, open, last} = byHand()
  answers.want('etoh')
  answers.clear()
  open[0].answer('1,150')
  await settled()
  expect(last()).toEqual({question: undefined})
})

test('whatever the times, the newest question is answered last and never two are asked at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(fc.nat(9), {minLength: 1, maxLength: 12}), async (s, asked) => {
      let running = 0
      let most = 0
      let shown: Asked<{n: number}, number> = {question: undefined}
      const answers = new NewestAnswer<{n: number}, number>(
        async question => {
          most = Math.max(most, ++running)
          await s.schedule(Promise.resolve())
          running--
          return question.n
        },
        next => {
          shown = next
        }
      )
      for (const n of asked) s.schedule(Promise.resolve()).then(() => answers.want({n}))
      await s.waitIdle()
      expect(most).toBe(1)
      expect(shown.of).toBe(shown.question)
      expect(shown.answer).toBe(shown.question?.n)
    }),
    {numRuns: 50}
  )
})
