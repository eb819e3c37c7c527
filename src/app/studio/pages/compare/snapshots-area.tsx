import {counted} from '../../../../base/text/index.ts'
import type {Snapshot} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {Area} from '../../ui/area.tsx'
import {Button, NameField, TextForm} from '../../ui/controls.tsx'

/** Named states of the project with their models, kept in the project file. */
export function SnapshotsArea() {
  const {snapshots = []} = useStudio().project.value
  return (
    <Area title="Snapshots" also="stack">
      {snapshots.length === 0 ? (
        <p class="soft">
          No snapshots yet. Take one before you edit, then compare it with the model after the edit. Snapshots are saved
          in the project file.
        </p>
      ) : (
        <ul class="snapshots">
          {snapshots.map(snapshot => (
            <SnapshotLine key={snapshot.name} snapshot={snapshot} />
          ))}
        </ul>
      )}
      <Take names={snapshots.map(({name}) => name)} />
    </Area>
  )
}

function SnapshotLine({snapshot: {name, project, model}}: {snapshot: Snapshot}) {
  const studio = useStudio()
  const size =
    model === undefined ? 'no model' : `with its model, ${Math.ceil(model.length / 1000).toLocaleString('en')} KB`
  return (
    <li>
      <NameField
        label={`Name of the snapshot ${name}`}
        name={name}
        onName={to => studio.edit({kind: 'renameSnapshot', snapshot: name, to})}
      />
      <span class="soft">{`${counted(project.anchors.length, 'concept')}, ${size}`}</span>
      <Button
        isLittle
        of={`the snapshot ${name}`}
        onClick={() => studio.edit({kind: 'deleteSnapshot', snapshot: name})}
      >
        Delete
      </Button>
    </li>
  )
}

function Take({names}: {names: readonly string[]}) {
  const studio = useStudio()
  const free = (number: number): string =>
    names.includes(`snapshot ${number}`) ? free(number + 1) : `snapshot ${number}`
  const next = free(names.length + 1)
  const take = async (typed: string) => {
    const {parts} = await studio.session.export('model')
    const model = await new Blob([...(parts as readonly BlobPart[])]).text()
    studio.edit({kind: 'takeSnapshot', name: typed || next, model})
  }
  return (
    <TextForm
      class="rowed take"
      label="Name of a new snapshot"
      placeholder={next}
      words="Take a snapshot"
      onText={take}
    />
  )
}
