import {type ExportKind, isReadOnlyExport} from '../session/index.ts'
import {type Studio, useStudio} from './store.ts'
import {Button} from './ui/controls.tsx'
import {savePicture} from './ui/picture.tsx'
import {exportFile} from './ui/save-file.ts'

type Needs = 'nothing' | 'counts' | 'scores'
type Entry = readonly [what: ExportKind | 'network.svg' | 'network.png', words: string, needs: Needs]

/** By what is saved, each in the order of the work. */
const GROUPS: readonly (readonly [title: string, entries: readonly Entry[]])[] = [
  [
    'Project',
    [
      ['anchors', 'Anchors (anchors.json)', 'nothing'],
      ['labels', 'Labels (labels.jsonl)', 'nothing'],
      ['project-with-model', 'Project with its model', 'scores']
    ]
  ],
  [
    'Result',
    [
      ['report', 'Report (report.html)', 'scores'],
      ['predictions.jsonl', 'Predictions, JSON Lines', 'scores'],
      ['predictions.csv', 'Predictions, CSV', 'scores'],
      ['model', 'Model (model.json)', 'scores'],
      ['counts', 'Counts', 'counts']
    ]
  ],
  [
    'Network',
    [
      ['network.svg', 'Picture, SVG', 'scores'],
      ['network.png', 'Picture, PNG', 'scores'],
      ['edges-csv', 'Edges, CSV', 'scores'],
      ['bif', 'BIF, for Bayesian network tools', 'scores'],
      ['dot', 'DOT, for Graphviz', 'scores'],
      ['uai', 'UAI, for solvers', 'scores']
    ]
  ]
]

export function ExportMenu() {
  const studio = useStudio()
  const {counts, numbers, scores, readOnly} = studio.state.value
  const isReady = {
    nothing: true,
    counts: counts.is === 'ready',
    scores: numbers.is === 'ready' && scores.is === 'ready'
  }
  const refusal = ([what, , needs]: Entry) => {
    if (readOnly === undefined) return isReady[needs] ? undefined : 'when Numbers and Scores are ready'
    const isDrawn = what === 'network.svg' || what === 'network.png'
    return isDrawn || isReadOnlyExport(what) ? undefined : `needs the documents of ${readOnly}`
  }
  return (
    <>
      <Button also="apart" popovertarget="exports">
        Export <span aria-hidden="true">▾</span>
      </Button>
      <div class="menu" id="exports" popover="auto">
        {GROUPS.map(([title, entries]) => (
          <fieldset key={title}>
            <legend>{title}</legend>
            {entries.map(entry => (
              <Button
                key={entry[0]}
                look="quiet"
                disabled={refusal(entry) !== undefined}
                title={refusal(entry)}
                popovertarget="exports"
                popovertargetaction="hide"
                onClick={() => save(studio, entry[0])}
              >
                {entry[1]}
              </Button>
            ))}
          </fieldset>
        ))}
        <p class="soft">The saved project gives the same model on the command line: adfa run, beside its documents.</p>
      </div>
    </>
  )
}

function save(studio: Studio, what: Entry[0]): Promise<unknown> {
  if (what === 'network.svg' || what === 'network.png')
    return savePicture(studio, {kind: 'network'}, 'network', what === 'network.svg' ? 'svg' : 'png')
  return exportFile(studio, what)
}

export async function saveProject(studio: Studio): Promise<void> {
  const project = studio.project.value
  if ((await exportFile(studio, 'project')) && project === studio.project.value) studio.markSaved()
}
