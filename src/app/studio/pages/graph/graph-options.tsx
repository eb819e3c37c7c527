import {useState} from 'preact/hooks'
import {type EdgeRules, searchNeedsHighs} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {Select} from '../../ui/controls.tsx'

const STRUCTURES = [
  ['pairs', 'pairs: each with its own odds'],
  ['tree', 'tree: at most one parent, most information'],
  ['indegree:1', 'indegree:1: at most one parent, by score'],
  ['independent', 'independent: no links'],
  ['indegree:2', 'indegree:2: at most two parents'],
  ['degree:3', 'degree:3: at most three neighbours']
] as const

type Structure = (typeof STRUCTURES)[number][0]

/** How the network is learned: the structure, and rules for links. */
export function GraphOptions({method, concept}: {method: string; concept: string}) {
  const studio = useStudio()
  const project = studio.project.value
  const [refused, setRefused] = useState<Structure>()
  const {structure = project.fit.preset === 'paper' ? 'tree' : 'pairs'} = project.fit
  const pick = (picked: Structure) => {
    const fit = {...project.fit, structure: picked}
    const isRefused = searchNeedsHighs({...project, fit})
    setRefused(isRefused ? picked : undefined)
    if (!isRefused) studio.edit({kind: 'setFit', fit})
  }
  const known = STRUCTURES.some(([name]) => name === structure)
  return (
    <section class="area" aria-labelledby="options-title">
      <div class="head">
        <h2 id="options-title">How it is learned</h2>
        <span class="soft">{method}</span>
      </div>
      <div class="options">
        <Select
          label="Structure"
          value={structure as Structure}
          options={known ? STRUCTURES : [[structure as Structure, String(structure)], ...STRUCTURES]}
          onPick={pick}
        />
        <NewRule concept={concept} />
      </div>
      {refused === undefined ? null : (
        <p class="say bad">
          Above 22 concepts, the search for this structure needs the solver HiGHS, which the studio does not have; save
          the project and learn the model on the command line: <code>adfa run FILE --structure {refused}</code>
        </p>
      )}
      <Rules />
    </section>
  )
}

/** A rule for a pair that has no link, or none that is seen. */
function NewRule({concept}: {concept: string}) {
  const studio = useStudio()
  const [other, setOther] = useState('')
  const others = studio.project.value.anchors.map(anchor => anchor.concept).filter(name => name !== concept)
  return (
    <>
      <Select
        label={`Rule for ${concept} and`}
        value={others.includes(other) ? other : ''}
        options={[['', 'choose a concept'], ...others.map(name => [name, name] as const)]}
        onPick={setOther}
      />
      {others.includes(other) ? <LinkRule a={concept} b={other} /> : null}
    </>
  )
}

/** The rules there are; each can be lifted. */
function Rules() {
  const studio = useStudio()
  const {edges} = studio.project.value
  const pairs = [...(edges?.require ?? []), ...(edges?.forbid ?? [])]
  if (pairs.length === 0) return <p class="soft">No link is required or forbidden.</p>
  return (
    <ul class="rules">
      {pairs.map(([a, b]) => (
        <li key={`${a}\n${b}`}>
          <span>{`${a} and ${b}`}</span>
          <LinkRule a={a} b={b} />
        </li>
      ))}
    </ul>
  )
}

export type Rule = 'required' | 'forbidden'

/** What is demanded of a link, from either end. */
export function ruleOf(edges: EdgeRules | undefined, a: string, b: string): Rule | undefined {
  const has = (pairs: readonly (readonly [string, string])[] = []) =>
    pairs.some(([x, y]) => (x === a && y === b) || (x === b && y === a))
  return has(edges?.require) ? 'required' : has(edges?.forbid) ? 'forbidden' : undefined
}

/** Require a link, forbid it, or leave it to the documents. */
export function LinkRule({a, b}: {a: string; b: string}) {
  const studio = useStudio()
  const rules = {required: 'require', forbidden: 'forbid', free: 'free'} as const
  return (
    <Select
      label={`Link of ${a} and ${b}`}
      isBare
      value={ruleOf(studio.project.value.edges, a, b) ?? 'free'}
      options={[
        ['free', 'free'],
        ['required', 'required'],
        ['forbidden', 'forbidden']
      ]}
      onPick={rule => studio.edit({kind: 'setRule', a, b, rule: rules[rule]})}
    />
  )
}
