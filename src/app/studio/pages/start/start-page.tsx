import {useEffect} from 'preact/hooks'
import {counted, percent} from '../../../../base/text/index.ts'
import {Table} from '../../../present/index.ts'
import {megabytes, type Preview, type Survey, type SurveyedFile} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {Browse, Button, useDrop} from '../../ui/controls.tsx'
import {Spans} from '../../ui/doc-text.tsx'
import {WorkingArea} from '../../ui/marks.tsx'
import {ended} from '../../ui/sentence.ts'
import {FieldsArea, WordsArea} from './fields-area.tsx'

/** Files, how they are read, and the first rows as they will be. */
export function StartPage() {
  const {intake, state} = useStudio()
  usePasting(intake.add)
  const survey = intake.survey.value
  const what = survey && !survey.hasMore ? counted(survey.rows, 'document') : 'all documents'
  return (
    <>
      <div class="page-head">
        <h1>Start</h1>
        <p class="lead">
          {survey
            ? 'Look at the first rows as they will be read, then read them all. Nothing leaves this computer.'
            : 'Read documents, name concepts, and give each a few words that hardly occur without it. Nothing leaves this computer.'}
        </p>
        {intake.hasDocuments.value ? (
          <div class="do">
            <Button look="primary" disabled={intake.busy.value !== undefined} onClick={intake.read}>
              {`Read ${what}${state.value.documents > 0 ? ' again' : ''}`}
            </Button>
          </div>
        ) : null}
      </div>
      <Reading />
      {survey ? <Surveyed survey={survey} /> : <Welcome />}
    </>
  )
}

function Reading() {
  const {busy, fault, survey} = useStudio().intake
  if (busy.value)
    return (
      <WorkingArea
        label="Reading"
        words={busy.value === 'read' ? 'Reading documents' : 'Looking at the files'}
        canCancel={busy.value === 'read'}
      />
    )
  return (
    <>
      {fault.value ? (
        <section class="area" aria-label="Fault">
          <p class="say bad" role="alert">
            {ended(fault.value)} <span class="soft">Nothing was loaded.</span>
          </p>
        </section>
      ) : null}
      {survey.value?.warnings.length ? (
        <section class="area stack" aria-label="Warnings">
          {survey.value.warnings.map(warning => (
            <p class="say know" key={warning}>
              {ended(warning)}
            </p>
          ))}
        </section>
      ) : null}
    </>
  )
}

function Welcome() {
  const {intake} = useStudio()
  return (
    <div class="welcome">
      <Drop isFirst />
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

function Surveyed({survey}: {survey: Survey}) {
  const {intake} = useStudio()
  const preview = intake.preview.value
  const hasDocuments = intake.hasDocuments.value
  return (
    <div class="start columns">
      <div>
        <FilesArea survey={survey} />
        <section class="area" aria-label="Add files">
          <Drop />
        </section>
        {hasDocuments ? (
          <>
            <FieldsArea rows={survey.rows} />
            <WordsArea />
          </>
        ) : null}
      </div>
      {preview ? <PreviewArea preview={preview} /> : hasDocuments ? <div /> : <Missing survey={survey} />}
    </div>
  )
}

function FilesArea({survey}: {survey: Survey}) {
  const {intake} = useStudio()
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
          {name: 'what it is', look: 'soft', cell: file => fileWords(file, survey)},
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

const FORMATS: Readonly<Record<string, string>> = {
  jsonl: 'JSON Lines',
  json: 'JSON',
  csv: 'CSV',
  tsv: 'TSV',
  txt: 'text',
  parquet: 'Parquet',
  xlsx: 'workbook (.xlsx)'
}

/** "JSON Lines, 6.0 MB", "anchors of 23 concepts". */
function fileWords({kind, format = '', size}: SurveyedFile, survey: Survey): string {
  const {anchors = [], labels = [], project, demo} = survey
  const concepts = (count: number) => counted(count, 'concept')
  if (kind === 'anchors') return `anchors of ${concepts(anchors.length)}`
  if (kind === 'labels') return counted(labels.length, 'answer')
  if (kind === 'model') return 'a model, not opened here'
  if (kind === 'project')
    return `a project with ${concepts(project?.anchors.length ?? 0)} and ${
      project?.labels.length ? counted(project.labels.length, 'answer') : 'no labels'
    }`
  if (demo) return `${counted(survey.rows, 'generated visit')} to an emergency department`
  return `${FORMATS[format] ?? format}, ${megabytes(size)}`
}

/** Where files are dropped or browsed for; they may be dropped anywhere on the page too. */
function Drop({isFirst = false}: {isFirst?: boolean}) {
  const {intake} = useStudio()
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

function PreviewArea({preview}: {preview: Preview}) {
  const {rows, dropped, kept, surveyed} = preview
  const hasNegated = rows.some(({parts}) => parts.some(({spans}) => spans.some(({isNegated}) => isNegated)))
  return (
    <section class="area" aria-labelledby="preview-title">
      <div class="head">
        <h2 id="preview-title">As it will be read</h2>
        <span class="soft">
          In the first {counted(surveyed, 'row')}: {counted(kept, 'word')} kept, {dropped.length} dropped
          {dropped.length > 0 ? ': ' : ''}
          {dropped.slice(0, 4).map(({word, share}, at) => (
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
        rows={rows}
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
        {hasNegated ? (
          <>
            <span class="negated">fevers</span>: negated, fires no anchor.{' '}
          </>
        ) : null}
        Struck out: not kept, because too common or too rare. {counted(rows.length, 'row')} shown.
      </p>
    </section>
  )
}

/** Files that are dropped or pasted anywhere, and pasted text. */
function usePasting(add: (files: readonly File[]) => unknown): void {
  useDrop(add)
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      if (event.target instanceof Element && event.target.matches('input, textarea')) return
      const files = [...(event.clipboardData?.files ?? [])]
      const text = event.clipboardData?.getData('text') ?? ''
      if (files.length > 0) add(files)
      else if (text.trim() !== '') add([new File([text], 'pasted text')])
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [add])
}

/** Which documents are missing. */
function Missing({survey}: {survey: Survey}) {
  const mark = survey.project?.documents
  return (
    <section class="area stack">
      <p>
        <b>Needs documents.</b>{' '}
        {mark
          ? `The project was made with ${mark.files.join(', ')} (${counted(mark.count, 'document')}); a project holds no documents, so add the ${mark.files.length > 1 ? 'files' : 'file'} here.`
          : 'Add a file of documents: JSON Lines, CSV, TSV, .xlsx or Parquet.'}
      </p>
    </section>
  )
}
