import {figure, html, htmlTable, type Markup} from '../../../use/report/index.ts'
import type {Figure, Pictures, Presentation, ResultTable} from '../experiment.ts'
import type {Material} from '../material.ts'
import {spreadText} from '../spread.ts'
import type {LikelihoodCell} from './heldout-likelihood-measure.ts'
import {gainPicture, likelihoodPicture} from './heldout-likelihood-pictures.ts'
import {
  groupsOf,
  kinds,
  type LikelihoodGroup,
  type LikelihoodRun,
  methodNames,
  shrinkagesOf
} from './heldout-likelihood-summary.ts'
import {likelihoodFindings} from './heldout-likelihood-text.ts'

/** The paper's figure of held-out likelihood by polytope, two pictures and tables a shrinkage, and its claims beside our results. */
export function presentLikelihood(runs: readonly LikelihoodRun[], {name}: Material, pictures: Pictures): Presentation {
  const parts = shrinkagesOf(runs).map(shrinkage => ({
    shrinkage,
    shown: [likelihoodPicture, gainPicture].map(draw => draw(runs, shrinkage, name, pictures))
  }))
  return {
    figures: parts.flatMap(({shown}) => shown),
    tables: [rawTable(runs)],
    html: html`<p>The paper (Section 5.3.1) learns trees from anchors alone and finds that moments from tighter constraints give the tags of held-out documents a higher likelihood, also in large samples, while on documents drawn from a learned model all constraints do equally well. It shows this as a picture only, so there are no numbers of it to stand beside these.</p>
${parts.map(({shrinkage, shown}) => shrinkageSection(runs, shrinkage, shown))}
${howMeasured(runs)}`
  }
}

function shrinkageSection(runs: readonly LikelihoodRun[], shrinkage: string, shown: readonly Figure[]): Markup {
  return html`<h3>Shrinkage towards independence ${shrinkage}${shrinkage === '0.01' ? ', as in the paper' : undefined}</h3>
${likelihoodFindings(runs, shrinkage)}
${shown.map(({name, svg, caption}) => figure(svg, caption, name))}
${kinds.map(data => meanTable(groupsOf(runs, {shrinkage, data}), data, shrinkage))}`
}

function rawTable(runs: readonly LikelihoodRun[]): ResultTable {
  const rows = runs.flatMap(({cell: {data, shrinkage, split, seed}, result: {training, heldOut, methods}}) =>
    [...methodNames].map(([method, name]) => {
      const {logLikelihood, objective, gap, status, steps} = methods[method]
      return [
        data,
        shrinkage,
        split,
        seed,
        training,
        heldOut,
        method,
        name,
        logLikelihood,
        objective,
        gap,
        status,
        steps
      ]
    })
  )
  const head = ['data', 'shrinkage', 'split', 'seed', 'training_documents', 'held_out_documents', 'method', 'name']
  const figures = ['log_likelihood', 'moment_objective', 'moment_gap', 'moment_status', 'moment_steps']
  return {name: 'heldout-likelihood', head: [...head, ...figures], rows}
}

function meanTable(groups: readonly LikelihoodGroup[], data: LikelihoodCell['data'], shrinkage: string): Markup {
  const rows = groups.map(group => {
    const difference = group.difference('marginal', 'simplex')
    const gaps = group.results('marginal').map(({gap}) => gap)
    return [
      group.size.toLocaleString('en'),
      ...[...methodNames.keys()].map(method => spreadText(group.spread(method))),
      spreadText(difference),
      `${difference.above} of ${difference.splits}`,
      Math.max(...gaps).toPrecision(2)
    ]
  })
  const differences = ['marginal less simplex', 'splits above 0', 'largest gap of marginal']
  return htmlTable({
    caption: `${data === 'real' ? 'Real' : 'Generated'} documents, shrinkage ${shrinkage}: means over the splits, in nats a document; in brackets the standard error in units of the last digit`,
    head: ['training documents', ...methodNames.values(), ...differences],
    align: Array.from({length: 10}, () => 'right'),
    rows
  })
}

function howMeasured(runs: readonly LikelihoodRun[]): Markup {
  const heldOut = [...new Set(runs.map(({result}) => result.heldOut))].map(count => count.toLocaleString('en'))
  return html`<p>Smaller samples are part of the larger ones of their split; ${heldOut.join(' or ')} held-out documents judge each tree. Anchors have the rates that the tags of all training documents of the split show. The shrinkage is the weight of independent tags that are mixed in (N: training documents). Oracles learn from the true tags of the same documents with the same shrinkage. Generated documents have as many training and held-out documents as the real ones; their tags come from the tree that the marginal polytope gives for all training documents of the split with the same shrinkage, their anchors keep to the rates.</p>`
}
