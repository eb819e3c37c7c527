import {useState} from 'preact/hooks'
import {type EdgeRules, type GraphView, searchNeedsHighs} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {Area} from '../../ui/area.tsx'
import {Select} from '../../ui/controls.tsx'

const STRUCTURES: readonly (readonly [name: string, words: string])[] = [
  ['pairs', 'pairs: each with its own odds'],
  ['tree', 'tree: at most one parent, most information'],
  ['indegree:1', 'indegree:1: at most one parent, by score'],
  ['independent', 'independent: no links'],
  ['indegree:2', 'indegree:2: at most two parents'],
  ['degree:3', 'degree:3: at most three neighbours']
]

interface OptionsProps {
  readonly graph: GraphView
  readonly concept: string
}

/** How the network is learned: the structure, and rules for links. */
export function GraphOptions({graph, concept}: OptionsProps) {
  const {edges} = useStudio().project.value
  const pairs = [...(edges?.require ?? []), ...(edges?.forbid ?? [])]
  return (
    <Area title="How it is learned" aside={<span class="soft">{graph.method}</span>}>
      <div class="options">
        <Structure />
        <NewRule graph={graph} concept={concept} />
      </div>
      {pairs.length === 0 ? <p class="soft">No link is required or forbidden.</p> : null}
      <ul class="rules">
        {pairs.map(([a, b]) => (
          <li key={`${a}\n${b}`}>
            <span>{`${a} and ${b}`}</span>
            <LinkRule a={a} b={b} />
          </li>
        ))}
      </ul>
    </Area>
  )
}

function Structure() {
  const studio = useStudio()
  const project = studio.project.value
  const {structure = project.fit.preset === 'paper' ? 'tree' : 'pairs'} = project.fit
  const own = STRUCTURES.some(([name]) => name === structure) ? [] : [[`${structure}`, `${structure}`] as const]
  const needsHighs = (structure: string) => searchNeedsHighs({...project, fit: {...project.fit, structure}})
  return (
    <Select
      label="Structure"
      value={String(structure)}
      options={[...own, ...STRUCTURES].map(([name, words]) =>
        needsHighs(name) ? [name, `${words} (above 22 concepts on the command line: adfa run)`, true] : [name, words]
      )}
      onPick={structure => studio.edit({kind: 'setFit', fit: {...project.fit, structure}})}
    />
  )
}

/** A rule for a pair that has no link, or none that is seen. */
function NewRule({graph, concept}: OptionsProps) {
  const [other, setOther] = useState('')
  const others = graph.concepts.map(({name}) => name).filter(name => name !== concept)
  const isChosen = others.includes(other)
  return (
    <>
      <Select
        label={`Rule for ${concept} and`}
        value={isChosen ? other : ''}
        options={[['', 'choose a concept'], ...others.map(name => [name, name] as const)]}
        onPick={setOther}
      />
      {isChosen ? <LinkRule a={concept} b={other} /> : null}
    </>
  )
}

export const RULES = {free: 'free', require: 'required', forbid: 'forbidden'} as const

type Rule = keyof typeof RULES

/** What is demanded of a link, from either end. */
export function ruleOf(edges: EdgeRules | undefined, a: string, b: string): Rule {
  const has = (pairs: EdgeRules['require'] = []) => pairs.some(pair => pair.includes(a) && pair.includes(b))
  return has(edges?.require) ? 'require' : has(edges?.forbid) ? 'forbid' : 'free'
}

/** Require a link, forbid it, or leave it to the documents. */
export function LinkRule({a, b}: {a: string; b: string}) {
  const studio = useStudio()
  return (
    <Select
      label={`Link of ${a} and ${b}`}
      isBare
      value={ruleOf(studio.project.value.edges, a, b)}
      options={Object.entries(RULES) as [Rule, string][]}
      onPick={rule => studio.edit({kind: 'setRule', a, b, rule})}
    />
  )
}
