import {useState} from 'preact/hooks'
import type {Edit, ExportKind} from '../session/index.ts'
import {editWords} from './edit-words.ts'
import {pages} from './pages.tsx'
import {type Studio, useStudio, type WindowName} from './store.ts'
import {Button, NameField, OpenButton} from './ui/controls.tsx'
import {savePicture} from './ui/picture.tsx'
import {exportFile} from './ui/save-file.ts'

export function TopBar() {
  const studio = useStudio()
  const open = (name: WindowName) => {
    studio.opened.value = name
  }
  return (
    <header class="topbar">
      <OpenButton opens="navigation" also="menu-button">
        {pages[studio.view.value.page].title}
      </OpenButton>
      <span class="brand">adfa studio</span>
      <ProjectName />
      <div class="actions" id="actions" popover="auto">
        <StepButton words="Undo" edit={studio.history.value.undos.at(-1)?.edit} onClick={studio.undo} />
        <StepButton words="Redo" edit={studio.history.value.redos.at(-1)?.edit} onClick={studio.redo} />
        <Button look="quiet" also="spare" onClick={() => open('keys')}>
          Keys <kbd>?</kbd>
        </Button>
        <ThemeButton />
        <Button look="quiet" also="narrow" onClick={() => open('privacy')}>
          Nothing leaves this computer
        </Button>
        <ExportMenu />
        <Button onClick={() => saveProject(studio)}>Save project</Button>
      </div>
      <OpenButton opens="actions" also="menu-button">
        More
      </OpenButton>
    </header>
  )
}

function StepButton({words, edit, onClick}: {words: string; edit: Edit | undefined; onClick: () => void}) {
  const title = edit === undefined ? `Nothing to ${words.toLowerCase()}` : `${words}: ${editWords(edit)}`
  return (
    <Button look="quiet" disabled={edit === undefined} title={title} onClick={onClick}>
      {words}
    </Button>
  )
}

function ProjectName() {
  const studio = useStudio()
  return (
    <span class="project">
      <NameField
        label="Name of the project"
        also="project-name"
        name={studio.project.value.name}
        onName={name => studio.edit({kind: 'setName', name})}
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
      <OpenButton opens="exports" also="apart">
        Export
      </OpenButton>
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
