import {type Rng, rng} from '../src/base/numeric/index.ts'

/** Triage notes as people type them: abbreviations, negations, typing errors. Nothing in them was chosen to suit adfa. */
export interface TriageVisit {
  readonly id: string
  readonly note: string
  readonly sex: string
  readonly age: string
  readonly meds: readonly string[]
  readonly arrived: string
  readonly level: number
  /** The concepts that the visit is about. */
  readonly truth: readonly string[]
}

/** What is said about a concept, how it is denied, what else occurs with it, and how often it is the reason of a visit. */
const CONCEPTS = {
  alcohol: {
    share: 0.14,
    said: [
      'smells of alcohol',
      'alcohol on board',
      'found intoxicated',
      'etoh, slurred speech',
      'drank a pint of vodka',
      'alcoholic, last drink today',
      'intox, brought by police'
    ],
    denied: ['denies alcohol', 'no alcohol use', 'denies etoh'],
    meds: ['thiamine', 'folate'],
    age: [25, 60]
  },
  'chest pain': {
    share: 0.18,
    said: [
      'chest pain x 2 hours',
      'c/o chest pain radiating to left arm',
      'substernal chest pain, diaphoretic',
      'chest pressure while climbing stairs',
      'cp since this morning, nausea',
      'chest pains on exertion'
    ],
    denied: ['denies chest pain', 'no chest pain or sob', 'without chest pain'],
    meds: ['aspirin', 'metoprolol', 'nitroglycerin'],
    age: [45, 90]
  },
  fall: {
    share: 0.16,
    said: [
      's/p fall from standing',
      'fell down 5 stairs',
      'mechanical fall, hip pain',
      'tripped over rug and fell, wrist deformity',
      'fall at home, head strike',
      'unwitnessed fall, on floor overnight',
      'falling a lot lately'
    ],
    denied: ['denies fall', 'no fall or trauma', 'denies any falls'],
    meds: ['warfarin', 'calcium'],
    age: [60, 98]
  },
  asthma: {
    share: 0.1,
    said: [
      'asthma exacerbation',
      'wheezing, out of inhaler',
      'hx asthma, sob since last night',
      'asthma, using nebs at home',
      'tight, wheezy, like prior asthma'
    ],
    denied: ['no hx of asthma', 'denies asthma'],
    meds: ['albuterol', 'fluticasone'],
    age: [5, 50]
  }
} as const

const COMPLAINTS: readonly string[] = [
  'abdominal pain since yesterday',
  'headache and photophobia',
  'laceration to finger, bleeding controlled',
  'sore throat, low grade temp',
  'back pain after lifting',
  'rash on both arms',
  'vomiting x3, no blood',
  'dysuria and frequency',
  'ankle injury playing soccer',
  'medication refill'
]
const REMARKS: readonly string[] = [
  'vss',
  'a&o x3',
  'ambulatory to triage',
  'wife at bedside',
  'ems gave 4 mg zofran',
  'pt anxious',
  'hx htn',
  'hx dm2',
  'nkda',
  'denies fever, chills',
  'no sob',
  'last seen here in may',
  'speaking full sentences'
]
const MEDS: readonly string[] = ['lisinopril', 'metformin', 'atorvastatin', 'omeprazole', 'levothyroxine']

/** The same visits for the same seed. */
export function triageVisits(count: number, seed: number): TriageVisit[] {
  const random = rng(seed)
  return Array.from({length: count}, (_, at) => triageVisit(at, random))
}

export const triageConcepts: readonly string[] = Object.keys(CONCEPTS)

function triageVisit(at: number, random: Rng): TriageVisit {
  const truth = Object.entries(CONCEPTS).flatMap(([name, {share}]) => (random.next() < share ? [name] : []))
  // People who drink also fall.
  if (truth.includes('alcohol') && !truth.includes('fall') && random.next() < 0.25) truth.push('fall')
  const parts: string[] = []
  for (const [name, {said, denied}] of Object.entries(CONCEPTS)) {
    if (truth.includes(name)) parts.push(pick(said, random))
    else if (random.next() < 0.12) parts.push(pick(denied, random))
  }
  if (truth.length === 0) parts.unshift(pick(COMPLAINTS, random))
  for (let remarks = Math.floor(4 * random.next()); remarks > 0; remarks--) parts.push(pick(REMARKS, random))
  const usual = truth.map(name => CONCEPTS[name as keyof typeof CONCEPTS])
  const [low, high] = usual[0]?.age ?? [1, 95]
  const meds = [
    ...usual.flatMap(({meds}) => (random.next() < 0.6 ? [pick(meds, random)] : [])),
    ...(random.next() < 0.5 ? [pick(MEDS, random)] : [])
  ]
  const day = 1 + Math.floor(28 * random.next())
  return {
    id: `V${String(100_000 + at)}`,
    note: parts.map(part => withErrors(part, random)).join(random.next() < 0.5 ? '. ' : ', '),
    sex: random.next() < 0.5 ? 'F' : 'M',
    age: random.next() < 0.02 ? '' : String(Math.floor(low + (high - low) * random.next())),
    meds,
    arrived: `2024-03-${String(day).padStart(2, '0')} ${String(Math.floor(24 * random.next())).padStart(2, '0')}:30`,
    level: 1 + Math.floor(5 * random.next()),
    truth
  }
}

function pick<T>(items: readonly T[], random: Rng): T {
  return items[Math.floor(items.length * random.next())]
}

/** One word in forty has two letters swapped, or one missing. */
function withErrors(text: string, random: Rng): string {
  return text.replace(/[a-z]{4,}/g, word => {
    if (random.next() >= 0.025) return word
    const at = 1 + Math.floor((word.length - 2) * random.next())
    return random.next() < 0.5
      ? word.slice(0, at) + word.slice(at + 1)
      : word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2)
  })
}
