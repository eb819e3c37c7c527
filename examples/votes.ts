/** Labelling functions vote on comments; a model learns from the votes and the words, and also judges comments without votes. */
import {ok} from 'node:assert'
import {learn, predictDocument, rng} from 'adfa'

const random = rng(5)
const pick = (items: readonly string[]) => items[Math.floor(items.length * random.next())]
const openings = {
  spam: [
    'please subscribe to my channel',
    'check my page',
    'win a free phone',
    'follow me',
    'visit http://example.org'
  ],
  ham: ['this song is great', 'love her voice', 'best chorus ever', 'who is still listening', 'great drummer']
}
const endings = {
  spam: ['for a free phone', 'and win prizes', 'for new videos on my channel', 'and follow my page', 'free prizes'],
  ham: ['in this video', 'and the chorus', 'reminds me of summer', 'with that voice', 'love the drummer']
}
const write = (kind: 'spam' | 'ham') => `${pick(openings[kind])} ${pick(endings[kind])}`

// A labelling function names a class, or abstains with null. One per source.
const sources: Record<string, (text: string) => string | null> = {
  subscribe: text => (/subscribe|follow/.test(text) ? 'spam' : null),
  link: text => (text.includes('http') ? 'spam' : null),
  free: text => (/free|win/.test(text) && random.next() < 0.7 ? 'spam' : null),
  music: text => (/song|chorus|voice/.test(text) ? 'ham' : null),
  short: text => (text.split(' ').length < 6 ? 'ham' : null)
}
const votesOn = (text: string) => Object.fromEntries(Object.entries(sources).map(([name, vote]) => [name, vote(text)]))

const comments = Array.from({length: 1000}, () => {
  const kind = random.next() < 0.4 ? 'spam' : 'ham'
  const text = write(kind)
  return {text, votes: votesOn(text), kind}
})
// No anchors but the votes; in each comment exactly one of the two classes holds. `kind` is not read.
const model = await learn(comments, {$exclusive: [['ham', 'spam']]})

const isRight = ({text, kind}: {text: string; kind: string}) => (predictDocument(model, {text})[kind] ?? 0) > 0.5
const judged = Array.from({length: 500}, () => (random.next() < 0.4 ? 'spam' : 'ham')).map(kind => ({
  kind,
  text: write(kind as 'spam' | 'ham')
}))
const accuracy = judged.filter(isRight).length / judged.length
console.log(`${(100 * accuracy).toFixed(1)}% of 500 new comments, of which no source has voted, are judged rightly`)
console.log(predictDocument(model, {text: 'win a phone on my page', votes: {subscribe: null, link: 'spam'}}))
ok(accuracy > 0.9)
