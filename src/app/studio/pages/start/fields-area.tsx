import {useState} from 'preact/hooks'
import {counted, grouped, percent} from '../../../../base/text/index.ts'
import {vocabularyDefaults} from '../../../../read/data/index.ts'
import {BY_NAME} from '../../../../read/reading/index.ts'
import {Table} from '../../../present/index.ts'
import type {ColumnView, Reading, Survey} from '../../../session/index.ts'
import {Field, Select} from '../../ui/controls.tsx'
import type {Intake} from './intake.ts'
import {isFixed, ROLES, type Role, roleIn, roleOf, withRole} from './roles.ts'

/** The columns of the documents, and what each is read as. */
export function FieldsArea({intake, survey}: {intake: Intake; survey: Survey}) {
  const reading = intake.reading.value
  if (!reading) return null
  return (
    <section class="area" aria-labelledby="fields-title">
      <div class="head">
        <h2 id="fields-title">Fields</h2>
        <span class="soft">guessed from {counted(survey.rows, 'row')}</span>
      </div>
      <Table
        class="fields"
        isBare
        rows={survey.columns}
        keyOf={({name}) => name}
        columns={[
          {name: 'field', cell: ({name}) => name},
          {
            name: 'example',
            look: 'soft',
            cell: ({example, detail}) => (
              <>
                {example}
                {detail && detail !== BY_NAME ? <span class="small"> ({detail})</span> : null}
              </>
            )
          },
          {name: 'read as', cell: column => <RoleChoice intake={intake} survey={survey} column={column} />}
        ]}
      />
      {survey.columns.some(column => roleIn(survey, reading, column) === 'tags') ? (
        <HoldOut isOn={reading.holdOut === true} onSet={isOn => intake.setReading(withHoldOut(reading, isOn))} />
      ) : null}
    </section>
  )
}

function RoleChoice({intake, survey, column}: {intake: Intake; survey: Survey; column: ColumnView}) {
  const {name, role, detail} = column
  const reading = intake.reading.value
  if (reading === undefined) return null
  if (detail === BY_NAME) return <>ready-made features</>
  if (isFixed(survey, name, role)) return <>{wordsOf(role)}</>
  return (
    <Select
      label={`${name} is read as`}
      isBare
      value={roleOf(reading, name)}
      options={ROLES}
      onPick={picked => intake.setReading(withRole(reading, name, picked))}
    />
  )
}

function withHoldOut({holdOut: _, ...reading}: Reading, isOn: boolean): Reading {
  return isOn ? {...reading, holdOut: true} : reading
}

function HoldOut({isOn, onSet}: {isOn: boolean; onSet: (isOn: boolean) => void}) {
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={event => onSet(event.currentTarget.checked)} />
      <span>
        Hold out a quarter of the tagged documents{' '}
        <span class="soft">(by a hash of the id): the model never learns from them and is evaluated on them</span>
      </span>
    </label>
  )
}

function wordsOf(role: Role): string {
  return ROLES.find(([name]) => name === role)?.[1] ?? role
}

/** Options of reading, as `adfa fit` has them. */
export function WordsArea({intake}: {intake: Intake}) {
  const reading = intake.reading.value
  if (!reading) return null
  const set = (change: Partial<Reading>) => intake.setReading({...reading, ...change})
  return (
    <section class="area" aria-labelledby="words-title">
      <div class="head">
        <h2 id="words-title">How words are read</h2>
      </div>
      <div class="options">
        <NumberField
          label="Words per field"
          value={grouped(reading.vocabulary ?? vocabularyDefaults.vocabulary)}
          rule="a whole number above 0"
          read={text => (/^\d{1,7}$/.test(text) && Number(text) > 0 ? Number(text) : undefined)}
          onValue={vocabulary => set({vocabulary})}
        />
        <NumberField
          label="Skip words in more than"
          value={percent(reading.maxShare ?? vocabularyDefaults.maxShare)}
          rule="a share above 0 and up to 100%"
          read={readShare}
          onValue={maxShare => set({maxShare})}
        />
        <Select
          label="Negation"
          value={reading.negation ? 'yes' : 'no'}
          options={[
            ['no', 'as written'],
            ['yes', 'marked: no fever']
          ]}
          onPick={value => set({negation: value === 'yes'})}
        />
        <Select
          label="Upper and lower case"
          value={reading.keepCase ? 'yes' : 'no'}
          options={[
            ['no', 'treated alike'],
            ['yes', 'kept apart']
          ]}
          onPick={value => set({keepCase: value === 'yes'})}
        />
      </div>
    </section>
  )
}

/** "40%" or ".4" as a share. */
function readShare(text: string): number | undefined {
  const [, digits, sign] = /^(\d*\.?\d+)\s*(%?)$/.exec(text.trim()) ?? []
  const share = Number(digits) / (sign === '%' ? 100 : 1)
  return share > 0 && share <= 1 ? share : undefined
}

/** A number that is taken over when it is typed to the end. */
function NumberField(props: {
  readonly label: string
  readonly value: string
  readonly rule: string
  readonly read: (text: string) => number | undefined
  readonly onValue: (value: number) => void
}) {
  const {label, value, rule, read, onValue} = props
  const [typed, setTyped] = useState<string | undefined>(undefined)
  const isBad = typed !== undefined && read(typed.replaceAll(',', '')) === undefined
  return (
    <Field
      label={label}
      inputMode="decimal"
      value={typed ?? value}
      fault={isBad ? `Type ${rule}.` : undefined}
      onInput={setTyped}
      onChange={text => {
        const found = read(text.replaceAll(',', ''))
        if (found === undefined) return
        setTyped(undefined)
        onValue(found)
      }}
    />
  )
}
