import {counted} from '../../../../base/text/index.ts'
import {vocabularyDefaults} from '../../../../read/data/index.ts'
import {BY_NAME, type Role} from '../../../../read/reading/index.ts'
import {Table} from '../../../present/index.ts'
import type {Survey} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {Area} from '../../ui/area.tsx'
import {NumberField, Select} from '../../ui/controls.tsx'

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

/** Settings that are on or off, with the words for each. */
const SWITCHES = [
  ['negation', 'Negation', 'as written', 'marked: no fever'],
  ['keepCase', 'Upper and lower case', 'treated alike', 'kept apart']
] as const

/** Options of reading, as `adfa fit` has them; an empty field takes the default. */
export function WordsArea({survey: {reading}}: {survey: Survey}) {
  const {setReading} = useStudio().intake
  const now = {...vocabularyDefaults, ...reading}
  const change = (made: Partial<Pick<typeof now, 'vocabulary' | 'maxShare' | 'negation' | 'keepCase'>>) =>
    setReading({...reading, ...made})
  return (
    <Area title="How words are read">
      <div class="options">
        <NumberField
          label="Words per field"
          min={1}
          step={1}
          value={now.vocabulary}
          onPick={(vocabulary = vocabularyDefaults.vocabulary) => change({vocabulary})}
        />
        <NumberField
          label="Skip words in a share above"
          min={0.001}
          max={1}
          value={now.maxShare}
          onPick={(maxShare = vocabularyDefaults.maxShare) => change({maxShare})}
        />
        {SWITCHES.map(([name, label, off, on]) => (
          <Select
            key={name}
            label={label}
            value={now[name] ? 'yes' : 'no'}
            options={[
              ['no', off],
              ['yes', on]
            ]}
            onPick={value => change({[name]: value === 'yes'})}
          />
        ))}
      </div>
    </Area>
  )
}
