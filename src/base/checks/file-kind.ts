/** What a file given in place of another seems to be, judged by how it starts: for errors about a wrong file. */
export function fileKind(start: string): 'a model' | 'counts' | 'released tables' | 'documents' | undefined {
  if (start.startsWith('ADFACNT\n')) return 'counts'
  if (/^\s*\{\s*"format":\s*"adfa-model"/.test(start)) return 'a model'
  if (start.startsWith('{"format":"adfa-release"')) return 'released tables'
  return /^\s*\{\s*"(id|text|title|body|features|tags|labels)"\s*:/.test(start) ? 'documents' : undefined
}
