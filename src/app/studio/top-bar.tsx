import {useState} from 'preact/hooks'
import type {ExportKind} from '../session/index.ts'
import {editWords} from './edit-words.ts'
import {pages} from './pages.tsx'
import {type Studio, useStudio} from './store.ts'
import {Button} from './ui/controls.tsx'
import {savePicture} from './ui/picture.tsx'
import {exportFile} from './ui/save-file.ts'
import type {WindowName} from './windows.tsx'

export function TopBar({onWindow}: {onWindow: (name: WindowName) => void}) {
  const studio = useStudio()
  const {undos, redos} = studio.history.value
  const [undo, redo] = [undos, redos].map(steps => steps.slice(-1).map(({edit}) => editWords(edit))[0])
  return (
    <header class="topbar">
      <Button also="menu-button" popovertarget="navigation">
        {pages[studio.view.value.page].title} <span aria-hidden="true">▾</span>
      </Button>
      <span class="brand">adfa studio</span>
      <ProjectName />
      <div class="actions" id="actions" popover="auto">
        <Button look="quiet" disabled={!undo} title={undo ? `Undo: ${undo}` : 'Nothing to undo'} onClick={studio.undo}>
          Undo
        </Button>
        <Button look="quiet" disabled={!redo} title={redo ? `Redo: ${redo}` : 'Nothing to redo'} onClick={studio.redo}>
          Redo
        </Button>
        <Button look="quiet" also="spare" onClick={() => onWindow('keys')}>
          Keys <kbd>?</kbd>
        </Button>
        <ThemeButton />
        <Button look="quiet" also="narrow" onClick={() => onWindow('privacy')}>
          Nothing leaves this computer
        </Button>
        <ExportMenu />
        <Button onClick={() => saveProject(studio)}>Save project</Button>
      </div>
      <Button also="menu-button" popovertarget="actions">
        More <span aria-hidden="true">▾</span>
      </Button>
    </header>
  )
}

/** The name is a field; leaving it or Enter makes it final. */
function ProjectName() {
  const studio = useStudio()
  const {name} = studio.project.value
  const rename = (field: HTMLInputElement) => {
    if (field.value.trim() === '' || field.value === name) field.value = name
    else studio.edit({kind: 'setName', name: field.value})
  }
  return (
    <span class="project">
      <input
        class="field project-name"
        aria-label="Name of the project"
        autocomplete="off"
        spellcheck={false}
        size={Math.min(40, Math.max(8, name.length))}
        value={name}
        onChange={event => rename(event.currentTarget)}
        onKeyDown={event => {
          if (event.key === 'Escape') event.currentTarget.value = name
          if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur()
        }}
      />
      <span class="soft">{studio.isSaved.value ? '' : 'not saved'}</span>
    </span>
  )
}

/** Light or dark as the system has it, until the reader chooses. */
function ThemeButton() {
  const [isDark, setDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches)
  const change = () => {
    document.documentElement.dataset.theme = isDark ? 'light' : 'dark'
    setDark(!isDark)
  }
  return (
    <Button look="quiet" also="spare" onClick={change}>
      {isDark ? 'Light' : 'Dark'}
    </Button>
  )
}

type Exported = ExportKind | 'network.svg' | 'network.png'

/** By what is saved, each in the order of the work. */
const EXPORTS: Readonly<Record<string, readonly (readonly [what: Exported, words: string])[]>> = {
  Project: [
    ['anchors', 'Anchors (anchors.json)'],
    ['labels', 'Labels (labels.jsonl)'],
    ['project-with-model', 'Project with its model']
  ],
  Result: [
    ['report', 'Report (report.html)'],
    ['predictions.jsonl', 'Predictions, JSON Lines'],
    ['predictions.csv', 'Predictions, CSV'],
    ['model', 'Model (model.json)'],
    ['counts', 'Counts']
  ],
  Network: [
    ['network.svg', 'Picture, SVG'],
    ['network.png', 'Picture, PNG'],
    ['edges-csv', 'Edges, CSV'],
    ['bif', 'BIF, for Bayesian network tools'],
    ['dot', 'DOT, for Graphviz'],
    ['uai', 'UAI, for solvers']
  ]
}

function ExportMenu() {
  const studio = useStudio()
  return (
    <>
      <Button also="apart" popovertarget="exports">
        Export <span aria-hidden="true">▾</span>
      </Button>
      <div class="menu" id="exports" popover="auto">
        {Object.entries(EXPORTS).map(([title, entries]) => (
          <fieldset key={title}>
            <legend>{title}</legend>
            {entries.map(([what, words]) => (
              <Button
                key={what}
                look="quiet"
                disabled={refusal(studio, what) !== undefined}
                title={refusal(studio, what)}
                popovertarget="exports"
                popovertargetaction="hide"
                onClick={() => save(studio, what)}
              >
                {words}
              </Button>
            ))}
          </fieldset>
        ))}
        <p class="soft">The saved project gives the same model on the command line: adfa run, beside its documents.</p>
      </div>
    </>
  )
}

/** Why something cannot be saved now. */
function refusal({state}: Studio, what: Exported): string | undefined {
  const {counts, numbers, scores} = state.value
  if (what === 'anchors' || what === 'labels') return undefined
  const needed = what === 'counts' ? [counts] : [numbers, scores]
  return needed.every(({is}) => is === 'ready') ? undefined : 'when Numbers and Scores are ready'
}

function save(studio: Studio, what: Exported): Promise<unknown> {
  if (what === 'network.svg' || what === 'network.png')
    return savePicture(studio, {kind: 'network'}, 'network', what === 'network.svg' ? 'svg' : 'png')
  return exportFile(studio, what)
}

export async function saveProject(studio: Studio): Promise<void> {
  const project = studio.project.value
  if ((await exportFile(studio, 'project')) && project === studio.project.value) studio.markSaved()
}
