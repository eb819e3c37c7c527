import {render} from 'preact-render-to-string'
import {AdfaError} from '../../base/checks/index.ts'
import {counted, percent, printable} from '../../base/text/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {type ConceptFacts, certificateFacts, createConceptFacts} from '../../use/facts/index.ts'
import {
  anchorBlocks,
  anchoredText,
  type Block,
  type BlockHost,
  Blocks,
  findingLine,
  neighbourBlocks,
  title,
  wordBlocks
} from '../present/index.ts'
import {pageHost} from './page.tsx'

/** With more concepts than this their cards are closed at first. */
const OPEN_CARDS = 8

/** The search box, which needs the page's script, and a card for every concept. */
export function ConceptCards({concepts, host}: {concepts: readonly ConceptFacts[]; host: BlockHost}) {
  return (
    <>
      <search>
        <form class="controls search" hidden>
          <label for="search">Search concepts, anchors and words</label>
          <input id="search" type="search" autocomplete="off" spellcheck={false} />
          <button type="button" id="open-all">
            Open all
          </button>
          <p id="search-status" role="status" class="quiet">
            {counted(concepts.length, 'concept')}
          </p>
        </form>
      </search>
      <div class="cards">
        {concepts.map(concept => (
          <Card key={concept.id} concept={concept} isOpen={concepts.length <= OPEN_CARDS} host={host} />
        ))}
      </div>
    </>
  )
}

interface CardProps {
  readonly concept: ConceptFacts
  readonly isOpen: boolean
  readonly host: BlockHost
}

/** Everything about one concept; a closed card shows its name, its prevalence and the doctor's findings, counted. */
function Card({concept, isOpen, host: {link, chart}}: CardProps) {
  const {id, index, name, rates, documents, neighbours, findings} = concept
  const show = (blocks: readonly Block[]) => <Blocks blocks={blocks} host={{link, chart}} />
  const serious = findings.filter(({severity}) => severity !== 'note')
  const worst = serious.filter(({severity}) => severity === serious[0].severity)
  const items = findings.map(finding => findingLine(finding, {}, {isTagged: true}))
  return (
    <details
      class="card"
      id={id}
      data-concept={index}
      data-near={neighbours.map(({index: near}) => near).join(' ')}
      open={isOpen}
    >
      <summary>
        <h3>{printable(name)}</h3>
        <span class="share">
          {rates === undefined ? anchoredText(documents) : `${percent(rates.prevalence.value)} of documents`}
        </span>
        {worst.length === 0 ? null : (
          <span class={`severity ${worst[0].severity}`}>{counted(worst.length, worst[0].severity)}</span>
        )}
        <span class="why" />
      </summary>
      <div class="body">
        <div>{show([...anchorBlocks(concept), ...neighbourBlocks(concept)])}</div>
        <div>{show(wordBlocks(concept))}</div>
        {items.length === 0 ? null : (
          <div class="findings">{show([title('The doctor’s findings'), {kind: 'list', items}])}</div>
        )}
        <p class="back controls">
          <a href="#network" data-show={index}>
            Show in the network
          </a>
        </p>
      </div>
    </details>
  )
}

/** What the card of a concept says of it alone, as HTML: rates, anchor and words. */
export function cardText(model: Model, name: string): string {
  const i = model.concepts.findIndex(concept => concept.name === name)
  if (i < 0) throw new AdfaError('bad-option', `the model has no concept "${name}"; it has been left out`)
  const facts = createConceptFacts(model, certificateFacts(model), undefined)(i)
  return render(<Blocks blocks={[...anchorBlocks(facts), ...wordBlocks(facts)]} host={pageHost()} />)
}
