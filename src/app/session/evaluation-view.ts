/** An evaluation as the page shows it: the texts of `adfa evaluate`, and for each concept the wrong documents. */

import {counted, percent} from '../../base/text/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {
  type ConceptMistakes,
  type DecisionEstimates,
  type Evaluation,
  evaluationRemarks,
  type Figures,
  figureColumns,
  figureIntervalText,
  figureMark,
  figureText,
  groupText,
  isAhead,
  isCeiling,
  isClear,
  type LabelEvaluation,
  labelFigureText,
  labelsUsedText,
  methodText,
  overconfidenceText,
  type ReliabilityBin,
  type Rival,
  rivalText,
  whereBeaten
} from '../../use/evaluation/index.ts'
import {ruleText} from '../present/index.ts'
import type {Evaluated} from './judge.ts'

/** Other documents, those held out, those learned from, labels; `none`: what the model expects of itself. */
export type JudgedOn = 'file' | 'heldOut' | 'learned' | 'labels' | 'none'

export interface EvaluationRequest {
  /** By default that of the last evaluation of these documents, or else the first that there is. */
  readonly on?: JudgedOn
  /** Whether baselines are trained to compare with. */
  readonly isTrained?: boolean
}

export interface EvaluationView {
  readonly on: JudgedOn
  /** What there is to judge on: [value, words]. */
  readonly choices: readonly (readonly [on: JudgedOn, words: string])[]
  /** What the figures are of, in a sentence. */
  readonly lead: string
  /** What makes the figures doubtful. */
  readonly notes: readonly string[]
  /** The methods, then the classes of each exclusive group. */
  readonly tables: readonly FiguresTable[]
  /** Simpler methods that are ahead, and where; `isLevel`: in no figure clearly. */
  readonly rivals: readonly {readonly name: string; readonly words: string; readonly isLevel: boolean}[]
  readonly remarks: readonly string[]
  /** Where probabilities are far too high, in a sentence. */
  readonly overconfidence?: string | undefined
  /** Methods that are still at work, or were when the evaluation was stopped. */
  readonly pending?: readonly string[]
  /** The worst first. */
  readonly concepts: readonly ConceptRow[]
  /** How often probabilities come true; empty without tags. */
  readonly reliability: readonly ReliabilityBin[]
  /** Whether baselines are trained, or why they cannot be. */
  readonly training: 'done' | 'possible' | {readonly refused: string}
}

export interface FiguresTable {
  readonly title: string
  readonly columns: readonly {readonly name: string; readonly meaning: string}[]
  readonly rows: readonly {
    readonly name: string
    readonly meaning: string
    readonly cells: readonly FigureCell[]
  }[]
}

export interface FigureCell {
  readonly text: string
  /** Its interval, where it does not stand in the text. */
  readonly range?: string
  readonly isBest: boolean
  /** Not the best, but without a clear difference from it. */
  readonly isLevel?: boolean
}

export interface ConceptRow {
  readonly name: string
  readonly f1?: number | undefined
  /** F1, precision, recall, average precision, with their intervals. */
  readonly texts: readonly string[]
  readonly tags: number
  readonly alarms: number
  readonly misses: number
}

export type Shown = Omit<EvaluationView, 'on' | 'choices' | 'pending' | 'training'>

const NOTHING = {notes: [], tables: [], rivals: [], remarks: [], concepts: [], reliability: []}

/** `what`: the documents, such as "held out". */
export function shownFigures(evaluated: Evaluated, model: Model, what: string): Shown {
  return evaluated.by === 'tags'
    ? byTags(evaluated.evaluation, evaluated.concepts, what)
    : byLabels(evaluated.evaluation, evaluated.concepts, model)
}

function byTags(evaluation: Evaluation, concepts: readonly ConceptMistakes[], what: string): Shown {
  const {documents, tagging, perConcept} = evaluation
  return {
    ...NOTHING,
    lead: `${counted(documents, 'document')} ${what}, ${counted(evaluation.concepts, 'concept')}.`,
    tables: [methodsTable(evaluation), ...groupTables(evaluation)],
    rivals: whereBeaten(evaluation).map(rivalView),
    remarks: evaluationRemarks(evaluation),
    overconfidence: overconfidenceText(tagging),
    concepts: worstFirst(perConcept, concepts),
    reliability: tagging.reliability
  }
}

function rivalView(rival: Rival): EvaluationView['rivals'][number] {
  return {name: rival.name, words: rivalText(rival), isLevel: rival.columns.length === 0}
}

type PerConcept = DecisionEstimates &
  Pick<Evaluation['perConcept'][number], 'concept'> &
  Partial<Pick<Evaluation['perConcept'][number], 'averagePrecision'>>

/** A concept that no document has cannot be judged, and comes last. */
function worstFirst(figures: readonly PerConcept[], mistakes: readonly ConceptMistakes[]): ConceptRow[] {
  const rows = figures.map(({concept, f1, precision, recall, averagePrecision}, i): ConceptRow => {
    const {tags, alarms, misses} = mistakes[i]
    return {
      name: concept,
      f1: Number.isNaN(f1.value) ? undefined : f1.value,
      texts: [f1, precision, recall, ...(averagePrecision ? [averagePrecision] : [])].map(labelFigureText),
      tags,
      alarms: alarms.length,
      misses: misses.length
    }
  })
  return rows.sort((a, b) => (a.f1 ?? 2) - (b.f1 ?? 2))
}

function namedFigures(evaluation: Evaluation): [string, Figures][] {
  return [['this model', evaluation], ...Object.entries(evaluation.baselines)]
}

function methodsTable(evaluation: Evaluation): FiguresTable {
  const named = namedFigures(evaluation)
  return {
    title: 'Beside simpler methods',
    columns: figureColumns.map(({name, meaning}) => ({name, meaning})),
    rows: named.map(([name, figures]) => ({
      name,
      meaning: meaningOf(name),
      cells: figureColumns.map(column => {
        const mark = figureMark(column, name, evaluation)
        const range = figureIntervalText(column, figures)
        return {text: figureText(column, figures), range, isBest: mark === 'best', isLevel: mark === 'level'}
      })
    }))
  }
}

function meaningOf(name: string): string {
  if (name === 'this model') return 'as it stands'
  return `${isCeiling(name) ? 'ceiling, learns from tags: ' : ''}${methodText(name) ?? ''}`
}

function groupTables(evaluation: Evaluation): FiguresTable[] {
  const named = namedFigures(evaluation)
  const shown = (value: number) => (Number.isNaN(value) ? '-' : value.toFixed(3))
  return (evaluation.groups ?? []).map((group, at) => ({
    title: groupText(group),
    columns: [
      {name: 'accuracy', meaning: 'how often the most probable class is the true one'},
      {name: 'macro F1', meaning: 'the mean F1 of the classes'}
    ],
    rows: named.map(([name, {groups = []}]) => ({
      name,
      meaning: meaningOf(name),
      cells: [groups[at].accuracy, groups[at].macroF1].map(value => ({text: shown(value), isBest: false}))
    }))
  }))
}

const LABEL_COLUMNS = ['f1', 'precision', 'recall'] as const
const LABEL_NAMES = {f1: 'F1', precision: 'precision', recall: 'recall'}

function byLabels(evaluation: LabelEvaluation, concepts: readonly ConceptMistakes[], model: Model): Shown {
  const {labelled, shortAnswers, documents, level} = evaluation
  const short = shortAnswers === 0 ? '' : ` and ${counted(shortAnswers, 'short answer')}`
  return {
    ...NOTHING,
    lead: `${counted(labelled, 'labelled document')}${short}, of ${counted(documents, 'document')}; ${counted(concepts.length, 'concept')}, reported ${ruleText(model, evaluation.rule)}.`,
    notes: [labelsUsedText(evaluation, model)],
    tables: [labelsTable(evaluation)],
    rivals: labelRivals(evaluation),
    remarks: [`In brackets: ${percent(level)} intervals for all documents.`],
    concepts: worstFirst(evaluation.concepts, concepts)
  }
}

function labelsTable(evaluation: LabelEvaluation): FiguresTable {
  const {micro, macro, macroConcepts, baselines, best} = evaluation
  const row = (name: string, meaning: string, own: DecisionEstimates, isCompared = true) => ({
    name,
    meaning,
    cells: LABEL_COLUMNS.map(column => ({
      text: labelFigureText(own[column]),
      isBest: isCompared && best[column].methods.includes(name),
      isLevel: isCompared && best[column].level.includes(name)
    }))
  })
  return {
    title: 'Beside simpler methods',
    columns: LABEL_COLUMNS.map(column => ({
      name: LABEL_NAMES[column],
      meaning: `${LABEL_NAMES[column]}, with its interval`
    })),
    rows: [
      row('this model', 'all decisions', micro),
      ...(macroConcepts === 0
        ? []
        : [row('this model', `mean of ${counted(macroConcepts, 'frequent concept')}`, macro, false)]),
      ...Object.entries(baselines).map(([name, own]) => row(name, `all decisions; ${meaningOf(name)}`, own))
    ]
  }
}

function labelRivals({micro, baselines}: LabelEvaluation): EvaluationView['rivals'] {
  return Object.entries(baselines).flatMap(([name, own]) => {
    const ahead = LABEL_COLUMNS.filter(column => isAhead(own[column], micro[column]))
    const named = (isSure: boolean) =>
      ahead.filter(column => isClear(own.differences[column]) === isSure).map(column => LABEL_NAMES[column])
    return ahead.length === 0 ? [] : [rivalView({name, columns: named(true), level: named(false)})]
  })
}

/** Without tags and labels nothing can be measured. */
export const NOTHING_MEASURED: Shown = {
  ...NOTHING,
  lead: 'There are no tags and no labels, so nothing can be measured yet. Label 30 documents or more to see how often the model is right.'
}
