import {useContext, useEffect} from 'preact/hooks'
import {counted, listed, percent} from '../../../../base/text/index.ts'
import {Table} from '../../../present/index.ts'
import type {HeldModel, Preview, Project, Survey} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {Browse, Button, useDrop} from '../../ui/controls.tsx'
import {Spans} from '../../ui/doc-text.tsx'
import {WorkingArea} from '../../ui/marks.tsx'
import {ended} from '../../ui/sentence.ts'
import {FieldsArea, WordsArea} from './fields-area.tsx'
import {type Intake, IntakeContext} from './intake.ts'

/** Files, how they are read, and the first rows as they will be. */
export function StartPage() {
  const studio = useStudio()
  const intake = useContext(IntakeContext)
  usePasting(intake)
  if (!intake) return null
  const survey = intake.survey.value
  const documents = survey?.files.filter(({kind}) => kind === 'documents') ?? []
  return (
    <>
      <div class="page-head">
        <h1>Start</h1>
        <p class="lead">
          {survey
            ? 'Look at the first rows as they will be read, then read them all. Nothing leaves this computer.'
            : 'Read documents, name concepts, and give each a few words that hardly occur without it. Nothing leaves this computer.'}
        </p>
        {documents.length > 0 ? (
          <div class="do">
            <Button look="primary" disabled={intake.busy.value !== undefined} onClick={intake.read}>
              {readWords(survey, studio.state.value.documents > 0)}
            </Button>
          </div>
        ) : null}
      </div>
      <Reading intake={intake} />
      {survey ? <Surveyed intake={intake} survey={survey} /> : <Welcome intake={intake} />}
    </>
  )
}

function readWords(survey: Survey | undefined, isAgain: boolean): string {
  const what = !survey || survey.hasMore ? 'all documents' : counted(survey.rows, 'document')
  return isAgain ? `Read ${what} again` : `Read ${what}`
}

function Reading({intake}: {intake: Intake}) {
  const [busy, fault, survey] = [intake.busy.value, intake.fault.value, intake.survey.value]
  if (busy)
    return (
      <WorkingArea
        label="Reading"
        words={busy === 'read' ? 'Reading documents' : 'Looking at the files'}
        canCancel={busy === 'read'}
      />
    )
  return (
    <>
      {fault ? (
        <section class="area" aria-label="Fault">
          <p class="say bad" role="alert">
            {ended(fault)} <span class="soft">Nothing was loaded.</span>
          </p>
        </section>
      ) : null}
      {survey?.warnings.length ? (
        <section class="area stack" aria-label="Warnings">
          {survey.warnings.map(warning => (
            <p class="say know" key={warning}>
              {ended(warning)}
            </p>
          ))}
        </section>
      ) : null}
    </>
  )
}

function Welcome({intake}: {intake: Intake}) {
  return (
    <div class="welcome">
      <Drop intake={intake} isFirst />
      <section class="area stack" aria-labelledby="demo-title">
        <h2 id="demo-title">No documents at hand?</h2>
        <p>
          20,000 generated visits to an emergency department, with anchors of 23 conditions. One anchor is misspelt: the
          doctor finds it.
        </p>
        <div class="rowed">
          <Button onClick={intake.demo}>Open the emergency demo</Button>
        </div>
      </section>
    </div>
  )
}

function Surveyed({intake, survey}: {intake: Intake; survey: Survey}) {
  const preview = intake.preview.value
  const hasDocuments = survey.files.some(({kind}) => kind === 'documents')
  return (
    <div class="start columns">
      <div>
        <FilesArea intake={intake} survey={survey} />
        <section class="area" aria-label="Add files">
          <Drop intake={intake} />
        </section>
        {hasDocuments ? (
          <>
            <FieldsArea intake={intake} survey={survey} />
            <WordsArea intake={intake} />
          </>
        ) : null}
      </div>
      {preview ? <PreviewArea preview={preview} /> : hasDocuments ? <div /> : <Missing survey={survey} />}
    </div>
  )
}

function FilesArea({intake, survey}: {intake: Intake; survey: Survey}) {
  return (
    <section class="area" aria-labelledby="files-title">
      <div class="head">
        <h2 id="files-title">Files</h2>
        <span class="soft">recognised by content, not by name</span>
      </div>
      <Table
        isBare
        rows={survey.files}
        keyOf={({name}) => name}
        columns={[
          {name: 'file', cell: ({name}) => name},
          {name: 'what it is', look: 'soft', cell: ({words}) => words},
          {
            name: 'what to do',
            isFigure: true,
            cell: ({name}) => (
              <Button look="quiet" isLittle onClick={() => intake.remove(name)}>
                Remove<span class="unseen"> {name}</span>
              </Button>
            )
          }
        ]}
      />
    </section>
  )
}

/** Where files are dropped or browsed for; they may be dropped anywhere on the page too. */
function Drop({intake, isFirst = false}: {intake: Intake; isFirst?: boolean}) {
  return (
    <div class={isFirst ? 'drop first' : 'drop'}>
      <p>
        <b>{isFirst ? 'Drop files here, or paste them:' : 'Drop more files here:'}</b>{' '}
        <span class="soft">documents (JSON Lines, CSV, TSV, .xlsx, Parquet), anchors, labels, a project, a model</span>
      </p>
      <Browse look={isFirst ? 'primary' : undefined} onFiles={intake.add}>
        Browse
      </Browse>
    </div>
  )
}

function hasNegated({rows}: Preview): boolean {
  return rows.some(({parts}) => parts.some(({spans}) => spans.some(({isNegated}) => isNegated)))
}

function PreviewArea({preview}: {preview: Preview}) {
  return (
    <section class="area" aria-labelledby="preview-title">
      <div class="head">
        <h2 id="preview-title">As it will be read</h2>
        <span class="soft">
          In the first {counted(preview.surveyed, 'row')}: {counted(preview.kept, 'word')} kept,{' '}
          {preview.dropped.length} dropped
          {preview.dropped.length > 0 ? ': ' : ''}
          {preview.dropped.slice(0, 4).map(({word, share}, at) => (
            <span key={word}>
              {at > 0 ? ', ' : ''}
              <s class="dropped">{word}</s> in {percent(share)}
            </span>
          ))}
        </span>
      </div>
      <Table
        class="preview"
        isBare
        rows={preview.rows}
        keyOf={({name}) => name}
        columns={[
          {name: 'document', cell: ({name}) => name},
          {
            name: 'words',
            cell: ({parts}) =>
              parts.map(({field, isText, spans}) => (
                <p key={field}>
                  {parts.length > 1 ? <span class="soft small">{field}: </span> : null}
                  <Spans spans={spans} isText={isText} />
                </p>
              ))
          }
        ]}
      />
      <p class="soft small foot">
        Boxed: an anchor, with its concept.{' '}
        {hasNegated(preview) ? (
          <>
            <span class="negated">fevers</span>: negated, fires no anchor.{' '}
          </>
        ) : null}
        Struck out: not kept, because too common or too rare. {counted(preview.rows.length, 'row')} shown.
      </p>
    </section>
  )
}

/** Files that are dropped or pasted anywhere, and pasted text. */
function usePasting(intake: Intake | undefined): void {
  useDrop(files => intake?.add(files))
  useEffect(() => {
    if (!intake) return
    const paste = (event: ClipboardEvent) => {
      if (event.target instanceof Element && event.target.matches('input, textarea')) return
      const files = [...(event.clipboardData?.files ?? [])]
      const text = event.clipboardData?.getData('text') ?? ''
      if (files.length > 0) intake.add(files)
      else if (text.trim() !== '') intake.add([new File([text], 'pasted text')])
    }
    document.addEventListener('paste', paste)
    return () => {
      document.removeEventListener('paste', paste)
    }
  }, [intake])
}

/** What there is before documents are, and which are missing. */
function Missing({survey}: {survey: Survey}) {
  const studio = useStudio()
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
