import type {SourcedRates} from '../../learn/noise/index.ts'
import type {Figures} from '../../use/evaluation/index.ts'
import {evaluationOf, withRanges} from '../../use/evaluation/test-figures.ts'
import type {Link} from '../../use/facts/index.ts'
import type {LabelProgress} from '../../use/labelling/index.ts'
import type {
  ColumnView,
  ComparisonView,
  ConceptView,
  DocumentLine,
  DocumentView,
  EvaluationView,
  GraphView,
  Preview,
  Project,
  Reading,
  SessionApi,
  SessionState,
  Survey,
  TextPart,
  TextSpan
} from '../session/index.ts'
import {createStudio, type Studio} from './store.ts'

/** A session that answers at once with figures of the emergency demo, for tests and screenshots of pages. */

/** [concept, members, share]. */
export const CONCEPTS: readonly (readonly [name: string, members: readonly string[], share: number])[] = [
  ['abdominal pain', ['abd pain', 'stomach pain'], 0.124],
  ['alcohol', ['etoh', 'intoxicated', 'alcohol intoxicaton'], 0.115],
  ['allergic reaction', ['allergy', 'allergic reaction'], 0.05],
  ['asthma-copd', ['asthma', 'asthma exacerbation'], 0.11],
  ['back pain', ['back pain', 'lbp'], 0.085],
  ['cellulitis', ['cellulitis', 'skin infection'], 0.063],
  ['epistaxis', ['epistaxis', 'nose bleed'], 0.021],
  ['fall', ['fell down', 'mechanical fall'], 0.1],
  ['gastrointestinal bleed', ['gi bleed', 'melena'], 0.047],
  ['headache', ['headache', 'headaches'], 0.079],
  ['hematuria', ['hematuria', 'blood in urine'], 0.04],
  ['hiv+', ['hiv', 'hiv+'], 0.047],
  ['intracranial hemorrhage', ['ich', 'sdh'], 0.03],
  ['kidney stone', ['kidney stone', 'renal colic'], 0.037],
  ['liver failure (history)', ['liver failure', 'cirrhosis'], 0.037],
  ['motor vehicle collision', ['mvc', 'mva'], 0.052],
  ['pneumonia', ['pneumonia', 'pna'], 0.07],
  ['severe sepsis', ['severe sepsis', 'septic shock', 'admit medicine'], 0.041],
  ['sexual assault', ['sexual assault', 'sane'], 0.019],
  ['stroke', ['stroke', 'cva'], 0.055],
  ['suicidal ideation', ['si', 'suicidal ideation'], 0.064],
  ['syncope', ['syncope', 'near syncope'], 0.067],
  ['urinary tract infection', ['uti', 'dysuria'], 0.1]
]

export const DOCUMENTS = 100_000

const reading: Reading = {id: 'id', tags: 'tags', text: [], vocabulary: 1000, maxShare: 0.4}

const around = (value: number) => ({value, low: value * 0.86, high: value * 1.18})

export function ratesAround(concept: string, share: number): SourcedRates {
  const rates = {prevalence: around(share), precision: around(0.8), truePositive: 0.7, falsePositive: 0.01}
  return {concept, ...rates, basis: 'labels', sources: ['pooled']}
}

const prevalences = CONCEPTS.map(([, , share]) => ({value: share, low: share * 0.86, high: share * 1.18}))
const rate = {value: 0.5, low: 0.4, high: 0.6}
const labelProgress: LabelProgress = {
  documents: 37,
  least: 100,
  goal: 200,
  enough: undefined,
  precision: {
    median: 2.1,
    worst: {concept: 'stroke', factor: 4.8},
    unusable: [],
    rates: prevalences.map(prevalence => ({truePositive: 0.5, falsePositive: 0.01, prevalence, precision: rate}))
  }
}

export const readyState: SessionState = {
  revision: 1,
  documents: DOCUMENTS,
  heldOut: 0,
  counts: {is: 'ready'},
  numbers: {is: 'ready'},
  scores: {is: 'ready'},
  concepts: CONCEPTS.map(([name, , share]) => ({
    name,
    documents: Math.round(share * DOCUMENTS * 0.8),
    rates: ratesAround(name, share)
  })),
  isExamined: true,
  uncovered: [],
  findings: [
    {
      concept: 'alcohol',
      severity: 'note',
      kind: 'dead-member',
      evidence: {features: ['alcohol intoxicaton']}
    },
    {
      concept: 'severe sepsis',
      severity: 'fault',
      kind: 'foreign-member',
      evidence: {
        feature: 'admit medicine',
        otherFeature: 'pneumonia',
        other: 'pneumonia',
        ownFeature: 'severe sepsis',
        foreignLikeness: 1,
        ownLikeness: 0.6,
        standardErrors: 9
      }
    }
  ],
  rates: {given: 0, labels: 20, guess: 3},
  threshold: 0.44
}

const ROWS = [
  'mvc mva bp c-spine fentanyl_citrate ondansetron disposition driver ~ed front groin imaging -airbag -loc -pain -sob p_fall pain rear_ended restrained seatbelt ~sex_m',
  'abd_pain stomach_pain stroke cva morphine_sulfate ondansetron prednisone sodium_chloride ~ed home initial_vitals low_back nausea -diarrhea -fevers neuro pain passed_out sober stable',
  'back_pain lbp back consults days acetaminophen ~ed lower_back furosemide -bowel -fevers -incontinence pain patient ~sex_m today',
  'skin_infection stroke admit ct ct_head multivitamins sodium_chloride ~ed ekg facial_droop head home lisinopril mri -of -or',
  'etoh admits ambulatory multivitamins thiamine ems eval -hi sober withdrawal',
  'asthma asthma_exacerbation fell_down mechanical_fall severe_sepsis septic_shock syncope bp consults cxr days denies albuterol_neb norepinephrine disposition ~ed ekg fall fell -cp -pain weakness wheezing xray',
  'brbpr denies ondansetron oxymetazoline imaging labs -pain -sob stable triage vomiting'
]
const WEIGHTS: Readonly<Record<string, number>> = {
  thiamine: 2.4,
  withdrawal: 3.1,
  sober: 1.6,
  admits: 0.9,
  ems: 0.5,
  pain: -0.8,
  nausea: -0.3
}

function spansOf(row: string): TextSpan[] {
  return row.split(' ').map(word => {
    const text = word.replace(/^[-~]/, '').replaceAll('_', ' ')
    const feature = text
    if (word.startsWith('~')) return {text, kind: 'dropped', feature}
    if (word.startsWith('-')) return {text, kind: 'word', isNegated: true, feature: `no ${text}`}
    const concepts = CONCEPTS.filter(([, members]) => members.includes(text)).map(([name]) => name)
    if (concepts.length > 0) return {text, kind: 'anchor', feature, concepts, weight: 0}
    return {text, kind: 'word', feature, weight: WEIGHTS[text] ?? 0}
  })
}

const nameOf = (at: number) => `emergency-${String(at).padStart(6, '0')}`

/** One document in five has running text, so that both ways of showing are tried. */
function partsOf(at: number): TextPart[] {
  const features: TextPart = {field: 'features', isText: false, spans: spansOf(ROWS[at % ROWS.length])}
  if (at % 5 !== 0) return [features]
  const plain = (text: string): TextSpan => ({text, kind: 'plain'})
  const word = (text: string, weight: number): TextSpan => ({text, kind: 'word', feature: text.toLowerCase(), weight})
  return [
    {
      field: 'text',
      isText: true,
      spans: [
        plain('50 y/o male with '),
        {text: 'chest pain', kind: 'word', feature: 'chest pain', weight: -0.9},
        plain(' radiating to the left arm, h/o '),
        {text: 'ETOH', kind: 'anchor', feature: 'etoh', concepts: ['alcohol'], weight: 0},
        plain(' abuse, smells of drink, '),
        word('Unsteady', 1.5),
        plain(' gait, denies '),
        {text: 'fever', kind: 'word', isNegated: true, feature: 'no fever'},
        plain('. Given '),
        word('thiamine', 2.4),
        plain(' in the '),
        {text: 'ED', kind: 'dropped', feature: 'ed'},
        plain('.')
      ]
    },
    features
  ]
}

const columns: readonly ColumnView[] = [
  {name: 'id', role: 'id', detail: '', example: 'emergency-000002'},
  {name: 'features', role: 'list', detail: '', example: 'mvc, mva, bp, c-spine'},
  {name: 'tags', role: 'tags', detail: '', example: 'fall'},
  {name: 'site', role: 'skip', detail: 'the same in every row', example: 'north'}
]

export const survey: Survey = {
  files: [
    {name: 'visits.jsonl', size: 6_291_456, kind: 'documents', format: 'jsonl'},
    {name: 'anchors.json', size: 1843, kind: 'anchors'}
  ],
  rows: 200,
  hasMore: true,
  columns,
  reading,
  anchors: CONCEPTS.map(([concept, any]) => ({concept, any, not: [], rates: undefined})),
  warnings: []
}

const preview: Preview = {
  rows: Array.from({length: 20}, (_, at) => ({name: nameOf(at + 2), parts: partsOf(at + 1)})),
  surveyed: 200,
  kept: 296,
  dropped: [
    {word: 'sex m', share: 0.41},
    {word: 'ed', share: 0.4}
  ]
}

function conceptView(name: string): ConceptView {
  const [, members, share] = CONCEPTS.find(([concept]) => concept === name) ?? [name, [], 0.05]
  const documents = (at: number) => (members[at] === 'alcohol intoxicaton' ? 0 : 1150 + 30 * at)
  return {
    members: members.map((feature, at) => ({
      feature,
      documents: documents(at),
      alone: Math.round(documents(at) * 0.61)
    })),
    vetoes: [{feature: 'no etoh', documents: 210, alone: 12}],
    estimates: (['pooled', 'labels', 'pair', 'irreducible', 'positive-only'] as const).map((method, at) => ({
      method,
      prevalence: around(share * (1 + at / 5)),
      precision: undefined
    })),
    anchored: 1878,
    missed: 278
  }
}

function line(at: number, isScored: boolean): DocumentLine {
  const parts = partsOf(at)
    .slice(0, 1)
    .map(part => ({...part, spans: part.spans.slice(0, 14)}))
  return {
    at,
    name: nameOf(at),
    ...(isScored && {probability: 0.98 * (1 - at / DOCUMENTS)}),
    parts,
    words: 7,
    ...(at % 9 === 0 ? {label: at % 2 === 0} : {})
  }
}

function documentView(at: number): DocumentView {
  const concepts = CONCEPTS.map(([name], place) => ({
    name,
    probability: (0.97 * 7) / (7 + place * place),
    ...(place === 2 && {label: true})
  }))
  return {at, name: nameOf(at), parts: partsOf(at), concepts}
}

/** Figures of a method that finds this share of everything. */
function figuresOf(value: number): Figures {
  const error = 1 - value
  const f1 = {microF1: value, macroF1: value}
  const reliability = [0.1, 0.3, 0.64, 0.9].map(p => ({meanProbability: p, shareFound: p * p, count: 100}))
  const figures = withRanges({
    lastTag: {accuracy: value, standardError: 0.01, documents: 5000},
    tagLogLikelihood: -error,
    tagging: {
      ...f1,
      atThreshold: {...f1, threshold: 0.4, chosenOn: 'training documents'},
      ...{macroAuc: value, averagePrecision: value, brier: error, calibrationError: error, saturated: 0, reliability}
    }
  })
  const near = (middle: number) => ({value: middle, low: middle - 0.05, high: middle + 0.05})
  const perConcept = CONCEPTS.map(([concept], at) => ({
    ...{concept, tags: 900 - 20 * at, f1: near(0.6 + at / 80), precision: near(0.5 + at / 80)},
    ...{recall: near(0.7 + at / 80), averagePrecision: near(0.65 + at / 80)}
  }))
  return {...figures, perConcept}
}

function evaluationView(isTrained: boolean): EvaluationView {
  const others = {'noisy-or': figuresOf(0.984), prior: figuresOf(0.102), 'anchors-only': figuresOf(0.772)}
  const oracle = isTrained && {oracle: figuresOf(0.98)}
  const evaluation = {
    ...evaluationOf(figuresOf(0.949), {...others, ...oracle}),
    documents: 5000,
    concepts: CONCEPTS.length
  }
  const left = {skipped: 0, filtered: 0, learnedShare: 0, absent: [], stray: []}
  return {
    on: 'heldOut',
    choices: [
      {on: 'heldOut', documents: 5000},
      {on: 'learned', documents: 15_000}
    ],
    files: [],
    figures: {by: 'tags', evaluation, left, untrained: []},
    mistakes: CONCEPTS.map((_, at) => ({alarms: 128 - 5 * at, misses: 21})),
    training: isTrained ? 'done' : 'possible'
  }
}

/** A chain through all concepts, and two links across; `sure` after resampling. */
export function graphView(sure?: number): GraphView {
  const last = CONCEPTS.length - 1
  const pairs = [...CONCEPTS.keys()].slice(0, last).map(a => [a, a + 1] as const)
  const links = [...pairs, [0, 5] as const, [1, 7] as const].map(([a, b], at): Link => {
    const strength = at === 3 ? -0.7 : 3 - at / 10
    return {
      a,
      b,
      strength,
      shares: {withA: 0.3, withoutA: 0.1, withB: 0.4, withoutB: 0.2},
      ...(sure !== undefined && {confidence: sure})
    }
  })
  return {
    revision: 1,
    concepts: CONCEPTS.map(([name, , prevalence], i) => ({name, prevalence, cluster: Math.floor(i / 8)})),
    links: links.sort((x, y) => Math.abs(y.strength) - Math.abs(x.strength)),
    method: 'pairs',
    isOfPairs: true
  }
}

/** Concepts in rows of six, as the drawing thread writes them. */
function networkSvg(): string {
  const nodes = CONCEPTS.map(([name, , share], i) => {
    const [x, y] = [(i % 6) * 150 + 10, Math.floor(i / 6) * 90 + 10]
    const title = `${name.replace('+', '&#43;')}: in ${Math.round(100 * share)}% of documents`
    return `<g id="network-concept-${i}" class="node" data-concept="${i}"><title>${title}</title><path d="M${x},${y}h130v40h-130z" fill="#fff" stroke="#999"/><text x="${x + 65}" y="${y + 25}">${name}</text></g>`
  })
  const edges = graphView().links.map(
    ({a, b}) => `<g class="edge positive" data-parent="${a}" data-child="${b}"><path d="M140,30h20" stroke="#999"/></g>`
  )
  return `<svg viewBox="0 0 920 380" width="920" height="380" role="group" aria-label="Network of the concepts" text-anchor="middle" font-size="13"><style>svg{}</style>${edges.join('')}${nodes.join('')}</svg>`
}

const wordItem = (word: string, logOdds: number) => ({kind: 'word', word, present: true, logOdds}) as const

/** Methods that a test replaces come in `over`. */
export function fakeSession(over: Partial<SessionApi> = {}): SessionApi {
  return {
    survey: async () => survey,
    demo: async () => survey,
    preview: async () => preview,
    open: async () => ({
      documents: DOCUMENTS,
      heldOut: 0,
      hash: 'a1b2c3',
      notes: [],
      seconds: 0.6
    }),
    change: async () => {},
    cancel: async () => {},
    fit: async () => {},
    probe: async (_, feature) => ({
      takenBy: undefined,
      didYouMean: undefined,
      feature,
      documents: 559,
      fresh: 292,
      overlaps: [
        {concept: 'fall', documents: 73},
        {concept: 'suicidal ideation', documents: 71},
        {concept: 'abdominal pain', documents: 56}
      ],
      examples: [5, 12, 19, 26, 33].map(at => ({
        at,
        name: nameOf(at),
        probability: 0.9 - at / 100,
        before: 'admits ambulatory ',
        match: feature,
        after: ' ems eval sober'
      })),
      ...(feature === 'sepsis' ? {takenBy: 'severe sepsis'} : {})
    }),
    concept: async name => conceptView(name),
    suggest: async concept => ({
      concept,
      anchor: ['etoh'],
      rates: ratesAround(concept, 0.1),
      words: ['withdrawal', 'thiamine', 'folic acid', 'drink'].map((word, at) => ({
        word,
        score: 1 - at / 10,
        basis: at === 2 ? 'name' : 'documents',
        similarity: 'none',
        rival: undefined,
        namesake: undefined,
        documents: 900 - 20 * at,
        together: 500 - 10 * at,
        share: around(0.6 - at / 50),
        lift: around(9 - at),
        precision: around(0.75 - at / 50),
        coverage: around(0.3 - at / 60)
      }))
    }),
    propose: async () => survey.anchors ?? [],
    list: async ({has = '', concept}, from, count) => {
      if (has.startsWith('/(')) throw new Error(`${has} is not a valid regular expression: unterminated group`)
      const total = has === 'nowhere' ? 0 : DOCUMENTS
      const length = Math.min(count, total - from)
      return {total, from, rows: Array.from({length}, (_, at) => line(from + at, concept !== undefined))}
    },
    document: async at => documentView(at),
    explain: async (at, concept, known) => ({
      at,
      explanation: {
        concept,
        probability: 0.97,
        scores: [],
        logOdds: 3.5,
        contributions: [
          {kind: 'prior', probability: 0.12, logOdds: -2.1},
          {kind: 'anchor', fired: true, logOdds: 3.6},
          wordItem('thiamine', 2.4),
          wordItem('pain', -0.4)
        ],
        otherWords: 0,
        posterior: {probabilities: new Float64Array(), certificate: {method: 'weights', status: 'exact', steps: 1}}
      },
      weights: new Map(Object.entries(WEIGHTS)),
      probabilities: Object.fromEntries(
        documentView(0).concepts.map(({name, probability: p}) => [name, Object.keys(known).length > 0 ? p * 0.6 : p])
      )
    }),
    question: async () => ({
      concepts: CONCEPTS.map(([concept]) => concept),
      progress: labelProgress,
      narrow: 3,
      question: {
        at: 5,
        name: nameOf(5),
        drawn: 'random',
        parts: partsOf(5),
        concepts: documentView(5).concepts.map(({name, probability}) => ({name, isPreset: probability > 0.9}))
      }
    }),
    answer: async () => [],
    evaluate: async ({isTrained = false}) => evaluationView(isTrained),
    picture: async ({kind}) =>
      kind === 'network' ? networkSvg() : '<svg viewBox="0 0 100 40" role="img"><title>A picture</title></svg>',
    graph: async () => graphView(),
    resample: async () => graphView(0.93),
    compare: async () => fakeComparison,
    export: async what => ({name: `visits.${what}`, type: 'text/plain', parts: [new TextEncoder().encode(what)]}),
    ...over
  }
}

const fakeComparison: ComparisonView = {
  sides: [{kind: 'snapshot', name: 'before'}, {kind: 'now'}],
  comparison: {
    a: {concepts: 23, words: 990, documents: DOCUMENTS, moments: {status: 'optimal', objective: 0.61, gap: 1e-6}},
    b: {concepts: 23, words: 990, documents: DOCUMENTS, moments: 'no certificate'},
    added: [],
    removed: [],
    renamed: [{from: 'etoh', to: 'alcohol'}],
    concepts: [
      {
        concept: 'alcohol',
        was: 'etoh',
        anchor: {gained: [], lost: []},
        rates: {
          prevalence: {
            a: {value: 0.08, low: 0.07, high: 0.09},
            b: {value: 0.12, low: 0.11, high: 0.13},
            verdict: 'higher'
          }
        },
        words: []
      }
    ],
    edges: [],
    crossed: [{concept: 'alcohol', entered: 34, left: 2}]
  },
  today: new Map([['alcohol', 'alcohol']])
}

export const demoProject: Project = {
  name: 'ED visits',
  reading,
  anchors: CONCEPTS.map(([concept, any]) => ({concept, any, not: [], rates: undefined})),
  fit: {},
  labels: [],
  documents: {files: ['visits.jsonl'], count: DOCUMENTS, hash: 'a1b2c3'}
}

/** A studio with the emergency demo open. */
export function demoStudio(session: Partial<SessionApi> = {}, project: Partial<Project> = {}): Studio {
  const studio = createStudio(fakeSession(session))
  studio.replace({...demoProject, ...project}, true)
  studio.hear({kind: 'state', state: readyState})
  return studio
}
