export {clipCells, withoutControls, wrapCells} from './cells.ts'
export {csvLine, csvText, escapeFormula} from './csv.ts'
export {jsonText, printable, printableLine, replaceControls, withoutPasswords} from './printable.ts'
export {counted, factorText, firstNames, grouped, isPoint, listed, nameList, percent} from './text.ts'
