import {html, type Markup} from '../../../use/report/index.ts'
import {type Difference, pointsText, splitsText} from '../spread.ts'
import {type MethodId, methodName} from './last-tag-methods.ts'
import {independentOracles, type LastTagSummary, noiseTolerant, withoutTags} from './last-tag-summary.ts'

/** What counts as no big disadvantage, in shares: two points. */
const SMALL = 0.02

/** The claims of the paper, each with what these results say of it, and the best of those that read no tag. */
export function lastTagFindings(summary: LastTagSummary): Markup {
  const findings = [baselineClaim, structureClaim, oracleClaim, anchorClaim, polytopeClaim, bestMethod]
  return html`<ul>
${findings.map(finding => html`<li>${finding(summary)}</li>\n`)}</ul>
`
}

function baselineClaim(summary: LastTagSummary): string {
  const baseline = summary.best(noiseTolerant)
  return `The paper: its tree finds more last tags than the best of the noise-tolerant classifiers, on both of its corpora. ${verdict(summary.difference('paper-tree', baseline))}: ${sides(summary, 'paper-tree', baseline)}`
}

function structureClaim(summary: LastTagSummary): string {
  const oracle = summary.best(independentOracles)
  return `The paper: on Stack Overflow its tree, learned without tags, finds more than models without edges that are shown all tags. ${verdict(summary.difference('paper-tree', oracle))}: ${sides(summary, 'paper-tree', oracle)}`
}

/** A floor under the leaks is not in the paper; without one, a word that nothing explains outweighs all others. */
function oracleClaim(summary: LastTagSummary): string {
  const {mean} = summary.difference('oracle-mom-tree', 'oracle-ml-tree')
  const found = mean >= -SMALL ? 'Here that holds' : 'Here that does not hold'
  return `The paper: the method of moments is no big disadvantage beside maximum likelihood, when both are shown all tags. ${found}, taking two points for big: ${sides(summary, 'oracle-mom-tree', 'oracle-ml-tree')} With a floor under the leaks, as in robust: ${percent(summary, 'oracle-mom-floor')}.`
}

function anchorClaim(summary: LastTagSummary): string {
  return `The paper: the emergency corpus is hard to improve on, because its anchors tell so much. Anchors alone beside the tree here: ${sides(summary, 'paper-tree', 'anchors-only')}`
}

function polytopeClaim(summary: LastTagSummary): string {
  const {verdict: found} = summary.difference('paper-marginal', 'paper-tree')
  const held = found === 'unclear' ? 'Here that holds' : 'Here that does not hold'
  return `The paper: a tighter polytope does not change the accuracy of the last tag significantly. ${held}: ${sides(summary, 'paper-marginal', 'paper-tree')}`
}

function bestMethod(summary: LastTagSummary): string {
  const best = summary.best(withoutTags)
  const next = summary.best(withoutTags.filter(id => id !== best))
  return `The best of all that is shown no tags, and the next: ${sides(summary, best, next)}`
}

/** Both figures and their difference, split by split. */
function sides(summary: LastTagSummary, one: MethodId, other: MethodId): string {
  const [a, b] = [one, other].map(id => `"${methodName(id)}" ${percent(summary, id)}`)
  const difference = summary.difference(one, other)
  return `${a}, ${b}, a difference of ${pointsText(difference)}, ${splitsText(difference)}.`
}

function percent(summary: LastTagSummary, id: MethodId): string {
  return `${(100 * summary.spread(id, 'lastTag').mean).toFixed(1)}%`
}

function verdict({verdict: found}: Difference): string {
  return {above: 'Here that holds', below: 'Here that does not hold', unclear: 'Here that is not clear'}[found]
}
