import {type Command, Option} from 'commander'
import {
  type EstimatedRates,
  findRateFaults,
  type NoiseEvidence,
  type NoiseMethod,
  usableNoise
} from '../../../learn/noise/index.ts'
import {fitChoices} from '../../../learn/presets.ts'
import {type Counts, describeTables} from '../../../read/counts/index.ts'
import type {SkippedAnchor} from '../../../read/data/index.ts'
import {diagnose, knownRates} from '../../../use/advice/index.ts'
import {addCommonOptions, addReadingOptions, outputOf} from '../common-options.ts'
import {sampleDocuments, scoreDocuments} from '../fit/sample-documents.ts'
import {interruptible} from '../interruptible.ts'
import type {Output} from '../output.ts'
import {type Input, type InputOptions, withInput} from '../read-input.ts'
import {addWorkOptions} from '../work-options.ts'
import {describeDiagnosis} from './doctor-report.ts'

interface DoctorOptions extends InputOptions {
  readonly noise?: NoiseMethod
}

export function addDoctorCommand(program: Command): void {
  const command = program
    .command('doctor')
    .summary('is each anchor good? plain words, with the evidence')
    .description(
      'Examine every anchor: how often it fires, what it shares with others, and whether it stands for its concept alone.'
    )
    .argument('<input...>', 'document files, or one counts file')
    .addOption(
      new Option(
        '--noise <method>',
        'also check noise rates estimated so (default: those in the anchors file, and from labels if there are any)'
      ).choices(fitChoices.noise)
    )
  addCommonOptions(addWorkOptions(addReadingOptions(command)))
    .addHelpText(
      'after',
      `
A fault spoils what is learned, a warning may, a note is good to know. Findings are no failure: the command ends with code 0.
Anchors that cannot work at all (shared by two concepts, never firing) are left out of the rest and named as faults.

Examples:
  adfa doctor notes.jsonl --anchors anchors.json
  adfa doctor notes.jsonl --anchors anchors.json --labels labels.jsonl   # labels show swapped anchors too
  adfa doctor questions.jsonl.gz --anchors-from-tags title --min-tags 2
  adfa doctor notes.counts --json`
    )
    .action(async (paths: string[], options: DoctorOptions, command: Command) => {
      const output = outputOf(options)
      const labelShare = options.labelShare ?? (options.noise === 'labels' ? 1 : 0)
      const reading: InputOptions = {...options, labelShare, skipBadAnchors: true}
      await withInput(paths, reading, command, output, async input => {
        const checked = await ratesToCheck(input, options, output)
        noteTables(input.counts, output)
        output.progress('examining anchors')
        const diagnosis = interruptible(() => diagnose(input.counts, checked))
        output.json(diagnosis)
        output.print(describeDiagnosis(diagnosis))
      })
    })
}

/** What released tables leave unexamined. */
function noteTables({tables}: Counts, output: Output): void {
  if (tables === undefined) return
  const another = 'whether an anchor fires for another concept too is seen in tables of --max-order 3'
  output.note(
    `these are ${describeTables(tables)}; the features of one anchor are not told apart${tables.maxOrder < 3 ? `, and ${another}` : ''}`
  )
}

export interface CheckedRates {
  readonly rates: readonly EstimatedRates[]
  readonly unrated: readonly SkippedAnchor[]
}

/** Rates to check: by the method that was asked for, or what was given and labelled. A guess is not worth a check. */
async function ratesToCheck(input: Input, {noise, seed}: DoctorOptions, output: Output): Promise<CheckedRates> {
  const {counts} = input
  if (noise !== undefined) {
    const needsScores = noise === 'positive-only' || noise === 'irreducible' || noise === 'auto'
    const scores = needsScores ? scoreDocuments(await sampleDocuments(input, seed), seed, output) : undefined
    return interruptible(() => ratesBy(counts, noise, {scores}))
  }
  return knownToCheck(counts)
}

/** Rates that were given, and those that labels tell. */
export function knownToCheck(counts: Counts): CheckedRates {
  const isGiven = new Set(counts.lexicon.anchors.filter(({rates}) => rates !== undefined).map(({concept}) => concept))
  const given = isGiven.size > 0 ? ratesBy(counts, 'given') : {rates: [], unrated: []}
  return {
    rates: [...given.rates, ...knownRates(counts).filter(({concept}) => !isGiven.has(concept))],
    unrated: given.unrated.filter(({concept}) => isGiven.has(concept))
  }
}

function ratesBy(counts: Counts, method: NoiseMethod, evidence: NoiseEvidence = {}): CheckedRates {
  const unrated = findRateFaults(counts, method, evidence)
  if (unrated.length === counts.lexicon.anchors.length) return {rates: [], unrated}
  const {noise} = usableNoise(counts, method, evidence)
  return {rates: noise.certificate.concepts.filter(({isGuess}) => !isGuess), unrated}
}
