import {useState} from 'preact/hooks'
import {counted, grouped, percent} from '../../../../base/text/index.ts'
import {vocabularyDefaults} from '../../../../read/data/index.ts'
import {BY_NAME, type Role} from '../../../../read/reading/index.ts'
import {Table} from '../../../present/index.ts'
import type {ColumnView, Reading} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {Field, Select} from '../../ui/controls.tsx'

/** Roles in the order of a list that opens, with their words. */
const ROLES: readonly (readonly [role: Role, words: string])[] = [
  ['id', 'name of the document'],
  ['text', 'text'],
  ['list', 'list of words'],
  ['category', 'category'],
  ['number', 'number, in bins'],
  ['tags', 'tags, for evaluation only'],
  ['votes', 'votes of a weak source'],
  ['skip', 'not read']
]

/** The columns of the documents, and what each is read as. */
export function FieldsArea({rows}: {rows: number}) {
  const {columns, reading, setReading} = useStudio().intake
  const {holdOut, ...rest} = reading.value ?? {text: []}
  return (
    <section class="area" aria-labelledby="fields-title">
      <div class="head">
        <h2 id="fields-title">Fields</h2>
        <span class="soft">guessed from {counted(rows, 'row')}</span>
      </div>
      <Table
        class="fields"
        isBare
        rows={columns.value}
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
          {name: 'read as', cell: column => <RoleChoice {...column} />}
        ]}
      />
      {columns.value.some(({role}) => role === 'tags') ? (
        <label class="check">
          <input
            type="checkbox"
            checked={holdOut === true}
            onChange={event => setReading(event.currentTarget.checked ? {...rest, holdOut: true} : rest)}
          />
          <span>
            Hold out a quarter of the tagged documents{' '}
            <span class="soft">(by a hash of the id): the model never learns from them and is evaluated on them</span>
          </span>
        </label>
      ) : null}
    </section>
  )
}

function RoleChoice({name, role, detail}: ColumnView) {
  const {setRole} = useStudio().intake
  if (detail === BY_NAME) return <>ready-made features</>
  return (
    <Select label={`${name} is read as`} isBare value={role} options={ROLES} onPick={picked => setRole(name, picked)} />
  )
}

/** Options of reading, as `adfa fit` has them. */
export function WordsArea() {
  const {reading, setReading} = useStudio().intake
  const {vocabulary, maxShare, negation, keepCase} = {...vocabularyDefaults, ...reading.value}
  const set = (change: Partial<Reading>) => setReading({text: [], ...reading.value, ...change})
  return (
    <section class="area" aria-labelledby="words-title">
      <div class="head">
        <h2 id="words-title">How words are read</h2>
      </div>
      <div class="options">
        <NumberField
          label="Words per field"
          value={grouped(vocabulary)}
          rule="a whole number above 0"
          read={text => (/^\d{1,7}$/.test(text) && Number(text) > 0 ? Number(text) : undefined)}
          onValue={vocabulary => set({vocabulary})}
        />
        <NumberField
          label="Skip words in more than"
          value={percent(maxShare)}
          rule="a share above 0 and up to 100%"
          read={readShare}
          onValue={maxShare => set({maxShare})}
        />
        <Select
          label="Negation"
          value={negation ? 'yes' : 'no'}
          options={[
            ['no', 'as written'],
            ['yes', 'marked: no fever']
          ]}
          onPick={value => set({negation: value === 'yes'})}
        />
        <Select
          label="Upper and lower case"
          value={keepCase ? 'yes' : 'no'}
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
  const numberOf = (text: string) => read(text.replaceAll(',', ''))
  return (
    <Field
      label={label}
      inputMode="decimal"
      value={typed ?? value}
      fault={typed !== undefined && numberOf(typed) === undefined ? `Type ${rule}.` : undefined}
      onInput={setTyped}
      onChange={text => {
        const found = numberOf(text)
        if (found === undefined) return
        setTyped(undefined)
        onValue(found)
      }}
    />
  )
}
