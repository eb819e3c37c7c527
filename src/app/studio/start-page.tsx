import {useContext, useEffect} from 'preact/hooks'
import {counted, percent} from '../../base/text/index.ts'
import type {Preview, Survey} from '../desk/index.ts'
import {Browse, useDrop} from './browse.tsx'
import {FieldsArea, WordsArea} from './fields-area.tsx'
import {type Intake, IntakeContext} from './intake.ts'
import {Missing} from './missing-documents.tsx'
import {Button, Meter, Spans} from './parts.tsx'
import {ended} from './sentence.ts'
import type {PageProps} from './store.ts'

/** Files, how they are read, and the first rows as they will be. */
export function StartPage({studio}: PageProps) {
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
      {survey ? <Surveyed studio={studio} intake={intake} survey={survey} /> : <Welcome intake={intake} />}
    </>
  )
}

function readWords(survey: Survey | undefined, isAgain: boolean): string {
  const what = !survey || survey.hasMore ? 'all documents' : counted(survey.rows, 'document')
  return isAgain ? `Read ${what} again` : `Read ${what}`
}

function Reading({intake}: {intake: Intake}) {
  const [busy, fault, survey, words] = [
    intake.busy.value,
    intake.fault.value,
    intake.survey.value,
    intake.progress.value
  ]
  if (busy)
    return (
      <section class="area stack" aria-label="Reading">
        <p>{words?.words ?? (busy === 'read' ? 'Reading documents' : 'Looking at the files')}</p>
        {words?.share === undefined ? null : <Meter isLong share={words.share} />}
        {busy === 'read' ? (
          <div class="rowed">
            <Button onClick={intake.cancel}>Cancel</Button>
          </div>
        ) : null}
      </section>
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

function Surveyed({studio, intake, survey}: PageProps & {intake: Intake; survey: Survey}) {
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
      {preview ? (
        <PreviewArea preview={preview} />
      ) : hasDocuments ? (
        <div />
      ) : (
        <Missing studio={studio} survey={survey} />
      )}
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
      <table>
        <thead class="unseen">
          <tr>
            <th scope="col">file</th>
            <th scope="col">what it is</th>
            <th scope="col">what to do</th>
          </tr>
        </thead>
        <tbody>
          {survey.files.map(({name, words}) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="soft">{words}</td>
              <td class="n">
                <Button look="quiet" isLittle onClick={() => intake.remove(name)}>
                  Remove<span class="unseen"> {name}</span>
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
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
      <table class="preview">
        <thead class="unseen">
          <tr>
            <th scope="col">document</th>
            <th scope="col">words</th>
          </tr>
        </thead>
        <tbody>
          {preview.rows.map(({name, parts}) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                {parts.map(({field, isText, spans}) => (
                  <p key={field}>
                    {parts.length > 1 ? <span class="soft small">{field}: </span> : null}
                    <Spans spans={spans} isText={isText} />
                  </p>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
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
