import {useEffect} from 'preact/hooks'
import {counted, percent} from '../../../../base/text/index.ts'
import {Table} from '../../../present/index.ts'
import {megabytes, type Preview, type Survey, type SurveyedFile} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {useAnswer} from '../../ui/answer.ts'
import {Area, PageHead, Say} from '../../ui/area.tsx'
import {Browse, Button, useDrop} from '../../ui/controls.tsx'
import {Spans} from '../../ui/doc-text.tsx'
import {Working} from '../../ui/marks.tsx'
import {ended} from '../../ui/sentence.ts'
import {FieldsArea, WordsArea} from './fields-area.tsx'
import {anchorsOf} from './intake.ts'

/** Files, how they are read, and the first rows as they will be. */
export function StartPage() {
  const {intake, state, session, project} = useStudio()
  const survey = intake.survey.value
  const hasDocuments = intake.hasDocuments.value
  const busy = intake.busy.value
  usePasting(intake.add)
  const {answer: preview, fault: refusal} = useAnswer(
    survey && hasDocuments && intake.fault.value === undefined ? JSON.stringify(survey.files) : undefined,
    JSON.stringify(survey?.reading),
    async () => survey && session.preview(survey.reading, anchorsOf(survey, project.value))
  )
  const fault = intake.fault.value ?? refusal?.message
  const what = survey && !survey.hasMore ? counted(survey.rows, 'document') : 'all documents'
  return (
    <>
      <PageHead
        title="Start"
        lead={
          survey
            ? 'Look at the first rows as they will be read, then read them all. Nothing leaves this computer.'
            : 'Read documents, name concepts, and give each a few words that hardly occur without it. Nothing leaves this computer.'
        }
      >
        {hasDocuments ? (
          <Button look="primary" disabled={busy !== undefined} onClick={intake.read}>
            {`Read ${what}${state.value.documents > 0 ? ' again' : ''}`}
          </Button>
        ) : null}
      </PageHead>
      {busy ? (
        <Area label="Reading">
          <Working
            what="reading"
            words={busy === 'read' ? 'reading documents' : 'looking at the files'}
            canCancel={busy === 'read'}
          />
        </Area>
      ) : null}
      {fault && !busy ? (
        <Area label="Fault">
          <Say is="bad" role="alert">
            {ended(fault)} <span class="soft">Nothing was loaded.</span>
          </Say>
        </Area>
      ) : null}
      {survey?.warnings.length && !busy ? (
        <Area also="stack" label="Warnings">
          {survey.warnings.map(warning => (
            <Say is="know" key={warning}>
              {ended(warning)}
            </Say>
          ))}
        </Area>
      ) : null}
      {survey ? (
        <div class="start columns">
          <div>
            <FilesArea survey={survey} />
            {hasDocuments ? <FieldsArea survey={survey} /> : null}
            {hasDocuments ? <WordsArea survey={survey} /> : null}
          </div>
          {preview ? <PreviewArea preview={preview} /> : hasDocuments ? <div /> : <Missing survey={survey} />}
        </div>
      ) : (
        <Welcome />
      )}
    </>
  )
}

function Welcome() {
  const {intake} = useStudio()
  return (
    <div class="welcome">
      <Drop isFirst />
      <Area also="stack" title="No documents at hand?">
        <p>
          20,000 generated visits to an emergency department, with anchors of 23 conditions. One anchor is misspelt: the
          doctor finds it.
        </p>
        <Button onClick={intake.demo}>Open the emergency demo</Button>
      </Area>
    </div>
  )
}

function FilesArea({survey}: {survey: Survey}) {
  const {intake} = useStudio()
  return (
    <Area title="Files" aside={<span class="soft">recognised by content, not by name</span>}>
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
              <Button look="quiet" isLittle of={name} onClick={() => intake.remove(name)}>
                Remove
              </Button>
            )
          }
        ]}
      />
      <Drop />
    </Area>
  )
}

/** "jsonl, 6.0 MB", "anchors of 23 concepts". */
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
  return `${format}, ${megabytes(size)}`
}

/** Where files are dropped or browsed for; they may be dropped anywhere on the page too. */
function Drop({isFirst = false}: {isFirst?: boolean}) {
  const {intake} = useStudio()
  return (
    <div class={isFirst ? 'drop first' : 'drop'}>
      <p>
        <b>{isFirst ? 'Drop files here, or paste them:' : 'Drop more files here:'}</b>{' '}
        <span class="soft">documents (JSON Lines, CSV, TSV, .xlsx, Parquet), anchors, labels, a project</span>
      </p>
      <Browse look={isFirst ? 'primary' : undefined} onFiles={intake.add}>
        Browse
      </Browse>
    </div>
  )
}

function PreviewArea({preview: {rows, dropped, kept, surveyed}}: {preview: Preview}) {
  const hasNegated = rows.some(({parts}) => parts.some(({spans}) => spans.some(({isNegated}) => isNegated)))
  return (
    <Area
      title="As it will be read"
      aside={
        <span class="soft">
          In the first {counted(surveyed, 'row')}: {counted(kept, 'word')} kept, {dropped.length} dropped
          {dropped.slice(0, 4).map(({word, share}, at) => (
            <span key={word}>
              {at > 0 ? ', ' : ': '}
              <s class="dropped">{word}</s> in {percent(share)}
            </span>
          ))}
        </span>
      }
    >
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
        Boxed: an anchor, with its concept. {hasNegated ? 'In italics: negated, fires no anchor. ' : ''}
        Struck out: not kept, because too common or too rare. {counted(rows.length, 'row')} shown.
      </p>
    </Area>
  )
}

/** Files that are dropped or pasted anywhere, and pasted text. */
function usePasting(add: (files: readonly File[]) => unknown): void {
  useDrop(add)
  useEffect(() => {
    const paste = ({target, clipboardData}: ClipboardEvent) => {
      if (target instanceof Element && target.matches('input, textarea')) return
      const text = clipboardData?.getData('text') ?? ''
      const pasted = text.trim() === '' ? [] : [new File([text], 'pasted text')]
      const files = [...(clipboardData?.files ?? [])]
      if (files.length + pasted.length > 0) add(files.length > 0 ? files : pasted)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [add])
}

/** Which documents are missing. */
function Missing({survey}: {survey: Survey}) {
  const mark = survey.project?.documents
  return (
    <Area>
      <p>
        <b>Needs documents.</b>{' '}
        {mark
          ? `The project was made with ${mark.files.join(', ')} (${counted(mark.count, 'document')}); a project holds no documents, so add the ${mark.files.length > 1 ? 'files' : 'file'} here.`
          : 'Add a file of documents: JSON Lines, CSV, TSV, .xlsx or Parquet.'}
      </p>
    </Area>
  )
}
