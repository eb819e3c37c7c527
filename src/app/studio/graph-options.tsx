import {useState} from 'preact/hooks'
import {commandOf, type Project, searchNeedsHighs} from '../desk/index.ts'
import {LinkRule} from './link-rule.tsx'
import {Select} from './parts.tsx'
import type {Studio} from './store.ts'

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
export function GraphOptions({studio, method, concept}: {studio: Studio; method: string; concept: string}) {
  const project = studio.project.value
  const [refused, setRefused] = useState<string>()
  const {structure = project.fit.preset === 'paper' ? 'tree' : 'pairs'} = project.fit
  const pick = (picked: Structure) => {
    const fit = {...project.fit, structure: picked}
    const isRefused = searchNeedsHighs({...project, fit})
    setRefused(isRefused ? lineOf({...project, fit}) : undefined)
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
        <NewRule studio={studio} concept={concept} />
      </div>
      {refused === undefined ? null : (
        <p class="say bad">
          Above 22 concepts, the search for this structure needs the solver HiGHS, which the studio does not have; learn
          the model on the command line: <code>{refused}</code>
        </p>
      )}
      <Rules studio={studio} />
    </section>
  )
}

function lineOf(project: Project): string {
  try {
    return commandOf(project, project.documents?.files ?? []).line
  } catch (error) {
    return (error as Error).message
  }
}

/** A rule for a pair that has no link, or none that is seen. */
function NewRule({studio, concept}: {studio: Studio; concept: string}) {
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
      {others.includes(other) ? <LinkRule studio={studio} a={concept} b={other} /> : null}
    </>
  )
}

/** The rules there are; each can be lifted. */
function Rules({studio}: {studio: Studio}) {
  const {edges} = studio.project.value
  const pairs = [...(edges?.require ?? []), ...(edges?.forbid ?? [])]
  if (pairs.length === 0) return <p class="soft">No link is required or forbidden.</p>
  return (
    <ul class="rules">
      {pairs.map(([a, b]) => (
        <li key={`${a}\n${b}`}>
          <span>{`${a} and ${b}`}</span>
          <LinkRule studio={studio} a={a} b={b} />
        </li>
      ))}
    </ul>
  )
}
