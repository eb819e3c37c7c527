import {counted, listed} from '../../base/text/index.ts'
import type {HeldModel, Project, Survey} from '../desk/index.ts'
import {Button} from './parts.tsx'
import type {PageProps} from './store.ts'

/** What there is before documents are, and which are missing. */
export function Missing({studio, survey}: PageProps & {survey: Survey}) {
  const {project, model} = survey
  const mark = project?.documents
  const {readOnly} = studio.state.value
  return (
    <section class="area stack">
      {readOnly ? (
        <div class="rowed">
          <Button look="primary" onClick={() => studio.go({page: 'graph', concept: undefined})}>
            Look at the graph of {readOnly}
          </Button>
        </div>
      ) : null}
      {project && model ? (
        <Held project={project} model={model} file={survey.files.find(({kind}) => kind === 'project')?.name} />
      ) : null}
      <p>
        <b>Needs documents.</b>{' '}
        {mark
          ? `The project was made with ${mark.files.join(', ')} (${counted(mark.count, 'document')}); a project holds no documents, so add the ${mark.files.length > 1 ? 'files' : 'file'} here.`
          : model
            ? modelNeeds(model)
            : 'Add a file of documents: JSON Lines, CSV, TSV, .xlsx or Parquet.'}
      </p>
    </section>
  )
}

/** Which documents complete a model: the studio learns from them again. */
function modelNeeds({documents, fields}: HeldModel): string {
  const count = documents === undefined ? 'documents' : counted(documents, 'document')
  const have = fields.length === 0 ? '' : ` (${listed(fields)} are read as text)`
  return `A model holds no documents. To change it, add the ${count} that it was learned from${have}, and its anchors.`
}

/** What a project with its model holds, before its documents are here. */
function Held({project, model, file}: {project: Project; model: HeldModel; file: string | undefined}) {
  const from = model.documents === undefined ? '' : `, learned from ${counted(model.documents, 'document')}`
  const shown = project.anchors.slice(0, 8).map(({concept}) => concept)
  const rest = project.anchors.length - shown.length
  return (
    <>
      <p>
        <b>{project.name}</b>: {counted(project.anchors.length, 'concept')} ({shown.join(', ')}
        {rest > 0 ? ` and ${rest} more` : ''}),{' '}
        {project.labels.length === 0 ? 'no labels' : counted(project.labels.length, 'answer')}, and a model of{' '}
        {counted(model.concepts, 'concept')}
        {from} ({Math.ceil(model.bytes / 1000).toLocaleString('en')} KB).
      </p>
      <p class="soft">The command line predicts with it: adfa predict {file} DOCUMENTS -o predictions.csv</p>
    </>
  )
}
