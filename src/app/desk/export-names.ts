/** Names of files that the studio saves and commands read. */
export const MODEL = 'model.json'
export const COUNTS = 'documents.counts'
export const REPORT = 'report.html'
