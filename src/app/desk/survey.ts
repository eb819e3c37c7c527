/** What files hold, before they are read as a whole. */
import {counted} from '../../base/text/index.ts'
import type {SourceFile, Survey} from './desk-api.ts'
import {DEMO_READING, demoAnchors, fileSource, type Source} from './sources.ts'

/** Rows that are looked at. */
export const SURVEYED = 200

export async function surveyFiles(files: readonly SourceFile[]): Promise<{survey: Survey; source: Source | undefined}> {
  const source = fileSource(files)
  const survey: Survey = {
    files: files.map(({name, size}) => ({name, size, kind: 'documents', words: 'JSON Lines'})),
    rows: 0,
    hasMore: true,
    columns: [],
    reading: {text: ['text']},
    warnings: []
  }
  return {survey, source}
}

/** The generated visits as if their files had been dropped. */
export function demoSurvey({names: [name]}: Source): Survey {
  const anchors = demoAnchors()
  const example = 'etoh, intoxicated'
  return {
    files: [
      {name, size: 0, kind: 'documents', words: 'generated emergency visits'},
      {name: 'anchors.json', size: 0, kind: 'anchors', words: `anchors of ${counted(anchors.length, 'concept')}`}
    ],
    rows: SURVEYED,
    hasMore: true,
    columns: [
      {name: 'id', role: 'id', detail: '', example: 'emergency-000001'},
      {name: 'features', role: 'list', detail: 'ready-made features', example},
      {name: 'tags', role: 'tags', detail: '', example: 'alcohol'}
    ],
    reading: DEMO_READING,
    anchors,
    warnings: []
  }
}
