import {useState} from 'preact/hooks'
import {ExportMenu, saveProject} from './export-menu.tsx'
import {pages} from './pages.tsx'
import {useStudio} from './store.ts'
import {Button} from './ui/controls.tsx'

export type WindowName = 'keys' | 'seal'

export function TopBar({onWindow}: {onWindow: (name: WindowName) => void}) {
  const studio = useStudio()
  const {undos, redos} = studio.history.value
  const [undo, redo] = [undos.at(-1)?.words, redos.at(-1)?.words]
  return (
    <header class="topbar">
      <Button also="menu-button" popovertarget="rail">
        {pages[studio.view.value.page].title} <span aria-hidden="true">▾</span>
      </Button>
      <span class="brand">adfa studio</span>
      <ProjectName />
      <div class="actions" id="actions" popover="auto">
        <Button look="quiet" disabled={!undo} title={undo ? `Undo: ${undo}` : 'Nothing to undo'} onClick={studio.undo}>
          Undo
        </Button>
        <Button look="quiet" disabled={!redo} title={redo ? `Redo: ${redo}` : 'Nothing to redo'} onClick={studio.redo}>
          Redo
        </Button>
        <Button look="quiet" also="spare" onClick={() => onWindow('keys')}>
          Keys <kbd>?</kbd>
        </Button>
        <ThemeButton />
        <Button look="quiet" also="narrow" onClick={() => onWindow('seal')}>
          Nothing leaves this computer
        </Button>
        <ExportMenu />
        <Button onClick={() => saveProject(studio)}>Save project</Button>
      </div>
      <Button also="menu-button" popovertarget="actions">
        More <span aria-hidden="true">▾</span>
      </Button>
    </header>
  )
}

/** The name is a field; leaving it or Enter makes it final. */
function ProjectName() {
  const studio = useStudio()
  const {name} = studio.project.value
  const rename = (field: HTMLInputElement) => {
    if (field.value.trim() === '' || field.value === name) field.value = name
    else studio.edit({kind: 'setName', name: field.value})
  }
  return (
    <span class="project">
      <input
        class="field project-name"
        aria-label="Name of the project"
        autocomplete="off"
        spellcheck={false}
        size={Math.min(40, Math.max(8, name.length))}
        value={name}
        onChange={event => rename(event.currentTarget)}
        onKeyDown={event => {
          if (event.key === 'Escape') event.currentTarget.value = name
          if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur()
        }}
      />
      <span class="soft">{studio.isSaved.value ? '' : 'not saved'}</span>
    </span>
  )
}

/** Light or dark as the system has it, until the reader chooses. */
function ThemeButton() {
  const isDark = () => {
    const {theme} = document.documentElement.dataset
    return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  }
  const [dark, setDark] = useState(isDark)
  return (
    <Button
      look="quiet"
      also="spare"
      onClick={() => {
        document.documentElement.dataset.theme = dark ? 'light' : 'dark'
        setDark(!dark)
      }}
    >
      {dark ? 'Light' : 'Dark'}
    </Button>
  )
}
