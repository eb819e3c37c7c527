/** What a model says of its concepts: the card of each, and the table of all. */
import {exp} from '../../base/numeric/index.ts'
import {counted, grouped, listed, percent} from '../../base/text/index.ts'
import type {WeightedWord} from '../../learn/model/index.ts'
import {
  type ConceptFacts,
  oddsInterval,
  oddsText,
  rateSource,
  type ShownRates,
  strengthInWords
} from '../../use/facts/index.ts'
import {
  type Block,
  type Cell,
  code,
  codes,
  column,
  figure,
  type Inline,
  kept,
  paragraph,
  say,
  tableOf
} from './blocks.ts'
import {intervalText} from './rates.ts'

/** What the figures of the cards mean. */
export function cardsLead(concepts: readonly ConceptFacts[]): Block {
  const isOf = (holds: (concept: ConceptFacts) => boolean | undefined, text: string) => concepts.some(holds) && text
  const parts = kept([
    isOf(
      ({rates}) => rates !== undefined,
      '“Switched on in 41%” means: in 41 of 100 documents that have the concept, the concept by itself makes the word appear; it may appear for other reasons too.'
    ),
    isOf(
      ({weights}) => weights !== undefined,
      'Odds show the effect of the word in predictions: × 3 triples the odds of the concept, ÷ 3 divides them by three.'
    ),
    isOf(({weights}) => weights?.for.some(({range}) => range !== undefined), 'Brackets hold 90% intervals.'),
    isOf(
      ({members}) => members.length > 0,
      'Where only one member of an anchor fires, predictions multiply the odds by its factor, compared with the average document where the anchor fires. These factors are estimated from words; only labelled documents show how precise a member is.'
    )
  ])
  return paragraph(parts.join(' '))
}

/** The rates and the anchor of a concept. */
export function anchorBlocks(facts: ConceptFacts): Block[] {
  return [...rateBlocks(facts), ...memberBlocks(facts)]
}

function rateBlocks({rates, documents, sources}: ConceptFacts): Block[] {
  if (rates === undefined)
    return [
      paragraph(
        `Its anchor fires ${anchoredText(documents)}. How many documents have the concept is unknown: label 30 to 100 documents to measure it.`,
        'bad'
      )
    ]
  const strong = (rate: keyof typeof rates): Inline => ({text: intervalText(rates[rate]), look: 'strong'})
  const from = [...new Set(sources.map(rateSource))]
  return kept([
    paragraph(
      say`Present in ${strong('prevalence')} of the documents. Its anchor fires in ${strong('truePositive')} of the documents that have it, and in ${strong('falsePositive')} of the others. Where the anchor fires, the concept is present in ${strong('precision')}.`
    ),
    from.length > 0 && paragraph(`Rates from: ${listed(from)}.`, 'quiet')
  ])
}

/** "in 2,311 documents". */
export function anchoredText(documents: number | undefined): string {
  return documents === undefined ? 'in an unknown number of documents' : `in ${counted(documents, 'document')}`
}

/** The heading of a part of a card. */
export function title(text: string): Block {
  return {kind: 'heading', text, isMinor: true}
}

/** Members beyond these are only named. */
const SHOWN_MEMBERS = 12

/** Precisions by rates that were not measured are not for people. */
function memberBlocks({anchors, vetoes, members, rates}: ConceptFacts): Block[] {
  const firing = members.filter(({documents}) => documents > 0)
  const named = (lead: string, list: typeof members) =>
    list.length > 0 &&
    paragraph(
      [
        lead,
        codes(
          list.map(({name}) => name),
          list.length
        )
      ],
      'quiet'
    )
  return kept([
    title(anchors.length === 1 ? 'Anchor' : 'Anchor: any of'),
    members.length === 0
      ? paragraph(codes(anchors, anchors.length))
      : tableOf(firing.slice(0, SHOWN_MEMBERS), [
          column('member', ({name}) => featureText(name)),
          figure('documents', ({documents}) => grouped(documents)),
          rates && figure('counts as', ({precision}) => percent(precision)),
          figure('odds', ({logOdds}) => oddsText(logOdds))
        ]),
    named('And ', firing.slice(SHOWN_MEMBERS)),
    named(
      'Never found: ',
      members.filter(({documents}) => documents === 0)
    ),
    vetoes.length > 0 && paragraph(['But not with ', codes(vetoes, vetoes.length)])
  ])
}

/** The words of the noisy-or links, with bars, and those of the weights; shares only where the rates were measured. */
export function wordBlocks({words, rates, weights = {for: [], against: []}}: ConceptFacts): Block[] {
  const most = Math.max(...words.map(({switchesOn}) => switchesOn))
  const hasOdds = words.some(({logOdds}) => logOdds !== undefined)
  const weighted = (lead: string, list: readonly WeightedWord[]) => {
    const each = list.map(({word, logOdds, range}, at): Inline => {
      return [at > 0 ? ', ' : ' ', code(word), ' ', {text: weightText(logOdds, range), look: 'quiet'}]
    })
    return list.length > 0 && paragraph([{text: lead, look: 'strong'}, each])
  }
  return kept([
    title('Words it switches on'),
    words.length === 0
      ? paragraph('None: no word clearly occurs with its anchor.', 'quiet')
      : tableOf(words, [
          column('word', ({word}) => featureText(word)),
          column('switched on in', ({switchesOn}) => ({
            cell: rates ? percent(switchesOn) : '',
            bar: switchesOn / most
          })),
          rates && figure('in all documents', ({frequency}) => percent(frequency)),
          hasOdds && figure('odds', ({logOdds = 0, range}) => (logOdds === 0 ? '' : weightText(logOdds, range)))
        ]),
    weights.for.length + weights.against.length > 0 && title('Words that count most in predictions'),
    weighted('For it:', weights.for),
    weighted('Against it:', weights.against)
  ])
}

/** "× 4.1 (3.2 to 5.2)". */
function weightText(logOdds: number, range: WeightedWord['range']): Inline {
  if (range === undefined) return oddsText(logOdds)
  const interval = oddsInterval(logOdds, [exp(range[0]), exp(range[1])])
  return [oddsText(logOdds), ' ', {text: `(${interval})`, look: 'range'}]
}

/** The field of a feature, such as "text:", is quiet. */
function featureText(feature: string): Inline {
  const [, field, word] = /^([^:\s]+:)(.+)$/.exec(feature) ?? []
  return field === undefined ? feature : [{text: field, look: 'quiet'}, word]
}

/** A network of pairs may join a concept to nearly all others. */
const SHOWN_NEIGHBOURS = 8

export function neighbourBlocks({neighbours, excludes}: ConceptFacts): Block[] {
  if (neighbours.length === 0) {
    const none =
      excludes.length > 0 ? `It excludes ${listed(excludes)}.` : 'None: nothing shows a relation to another concept.'
    return [title('Neighbours'), paragraph(none, 'quiet')]
  }
  const items = neighbours.slice(0, SHOWN_NEIGHBOURS).map(({name, shares, strength, confidence}) => {
    const among =
      shares &&
      `; in ${percent(shares.shareWith)} of documents with this concept, in ${percent(shares.shareWithout)} without`
    const sure = confidence === undefined ? '' : `; found again in ${percent(confidence)} of the resamplings`
    const named = {text: name, to: {concept: name}}
    return say`${named}: occurs with it ${strengthInWords(strength)}, odds ${oddsText(strength)}${among ?? ''}${sure}`
  })
  const more = neighbours.length - items.length
  return kept<Block>([
    title('Neighbours'),
    {kind: 'list', items},
    more > 0 && paragraph(say`And ${counted(more, 'weaker one')}; see ${{text: 'the edges', to: '#network'}}.`, 'quiet')
  ])
}

/** One row per concept, for sorting. */
export function conceptsTable(concepts: readonly ConceptFacts[]): Block {
  const hasRange = concepts.some(({rates}) => (rates?.prevalence.low ?? rates?.precision.low) !== undefined)
  const rate = (name: string, key: keyof ShownRates) =>
    figure(name, ({rates}: ConceptFacts): Cell => {
      const known = rates?.[key]
      return known === undefined ? 'unknown' : {cell: intervalText(known), sortBy: known.value}
    })
  return tableOf(
    concepts,
    [
      column('concept', ({name}) => ({text: name, to: {concept: name}})),
      figure('anchored', ({documents}) => documents ?? ''),
      rate('share of documents', 'prevalence'),
      rate('anchor fires if present', 'truePositive'),
      rate('if absent', 'falsePositive'),
      rate('right when it fires', 'precision'),
      figure('neighbours', ({neighbours}) => neighbours.length),
      column('strongest words', ({words}) =>
        words
          .slice(0, 4)
          .map(({word}) => word)
          .join(', ')
      )
    ],
    {
      id: 'all-concepts',
      isSortable: true,
      caption: `All concepts${hasRange ? ', with intervals in brackets' : ''}.`
    }
  )
}
