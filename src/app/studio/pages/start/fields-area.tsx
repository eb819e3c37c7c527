import {useState} from 'preact/hooks'
import {counted, grouped, percent} from '../../../../base/text/index.ts'
import {vocabularyDefaults} from '../../../../read/data/index.ts'
import {BY_NAME, type Role} from '../../../../read/reading/index.ts'
import {Table} from '../../../present/index.ts'
import type {Survey} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {Area} from '../../ui/area.tsx'
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
export function FieldsArea({survey: {rows, columns, reading}}: {survey: Survey}) {
  const {setReading, setRole} = useStudio().intake
  const {holdOut = false, ...rest} = reading
  return (
    <Area title="Fields" aside={<span class="soft">guessed from {counted(rows, 'row')}</span>}>
      <Table
        class="fields"
        isBare
        rows={columns}
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
          {
            name: 'read as',
            cell: ({name, role, detail}) =>
              detail === BY_NAME ? (
                'ready-made features'
              ) : (
                <Select
                  label={`${name} is read as`}
                  isBare
                  value={role}
                  options={ROLES}
                  onPick={picked => setRole(name, picked)}
                />
              )
          }
        ]}
      />
      {columns.some(({role}) => role === 'tags') ? (
        <label class="check">
          <input
            type="checkbox"
            checked={holdOut}
            onChange={() => setReading(holdOut ? rest : {...rest, holdOut: true})}
          />
          <span>
            Hold out a quarter of the tagged documents{' '}
            <span class="soft">(by a hash of the id): the model never learns from them and is evaluated on them</span>
          </span>
        </label>
      ) : null}
    </Area>
  )
}

/** Options of reading, as `adfa fit` has them. */
export function WordsArea({survey: {reading}}: {survey: Survey}) {
  const {setReading} = useStudio().intake
  const {vocabulary, maxShare, negation, keepCase} = {...vocabularyDefaults, ...reading}
  return (
    <Area title="How words are read">
      <div class="options">
        <NumberField
          label="Words per field"
          value={grouped(vocabulary)}
          rule="a whole number above 0"
          read={text => (/^\d{1,7}$/.test(text) && Number(text) > 0 ? Number(text) : undefined)}
          onValue={vocabulary => setReading({...reading, vocabulary})}
        />
        <NumberField
          label="Skip words in more than"
          value={percent(maxShare)}
          rule="a share above 0 and up to 100%"
          read={readShare}
          onValue={maxShare => setReading({...reading, maxShare})}
        />
        <Select
          label="Negation"
          value={negation ? 'yes' : 'no'}
          options={[
            ['no', 'as written'],
            ['yes', 'marked: no fever']
          ]}
          onPick={value => setReading({...reading, negation: value === 'yes'})}
        />
        <Select
          label="Upper and lower case"
          value={keepCase ? 'yes' : 'no'}
          options={[
            ['no', 'treated alike'],
            ['yes', 'kept apart']
          ]}
          onPick={value => setReading({...reading, keepCase: value === 'yes'})}
        />
      </div>
    </Area>
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
  const [typed, setTyped] = useState<string>()
  const found = typed === undefined ? undefined : read(typed.replaceAll(',', ''))
  return (
    <Field
      label={label}
      inputMode="decimal"
      value={typed ?? value}
      fault={typed !== undefined && found === undefined ? `Type ${rule}.` : undefined}
      onInput={setTyped}
      onChange={() => {
        if (found === undefined) return
        setTyped(undefined)
        onValue(found)
      }}
    />
  )
}
