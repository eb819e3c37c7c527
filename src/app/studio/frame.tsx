import {useEffect, useRef, useState} from 'preact/hooks'
import {addressOf, writeAddress} from './address.ts'
import {saveProject} from './export-menu.tsx'
import {pages} from './pages.tsx'
import {type PageName, type Studio, StudioContext, useStudio, type View} from './store.ts'
import {Strip} from './strip.tsx'
import {TopBar, type WindowName} from './top-bar.tsx'
import {openFindings} from './ui/concept-marks.ts'
import {Button, Toast} from './ui/controls.tsx'
import {isTyped} from './ui/keys.ts'
import {Severity} from './ui/marks.tsx'
import {KeysWindow, SealWindow} from './windows.tsx'

const TOAST_MILLISECONDS = 8000

/** Bar, rail, page and Strip; one live region; windows. */
export function Frame({studio}: {studio: Studio}) {
  const [open, setOpen] = useState<WindowName | undefined>(undefined)
  const main = useRef<HTMLElement>(null)
  const {page} = studio.view.value
  const {title, Page} = pages[page]
  const shown = useRef(page)
  useKeys(studio, setOpen)
  useEffect(() => {
    document.title = `${title} - ${studio.project.value.name} - adfa studio`
    // Unless something on the new page has it already.
    if (shown.current !== page && !main.current?.contains(document.activeElement)) main.current?.focus()
    shown.current = page
  }, [title, page, studio.project.value.name])
  const close = () => setOpen(undefined)
  return (
    <StudioContext.Provider value={studio}>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <div class="studio">
        <TopBar onWindow={setOpen} />
        <Rail />
        <main class={page === 'start' || page === 'compare' ? 'page' : 'page fixed'} id="page" tabIndex={-1} ref={main}>
          <Page />
        </main>
        <Strip onSeal={() => setOpen('seal')} />
      </div>
      <Spoken />
      {open === 'keys' ? <KeysWindow onClose={close} /> : null}
      {open === 'seal' ? <SealWindow onClose={close} /> : null}
    </StudioContext.Provider>
  )
}

function Rail() {
  const studio = useStudio()
  const now = studio.view.value
  const findings = openFindings(studio.state.value, studio.project.value.anchors)
  const concepts = studio.project.value.anchors.map(({concept}) => concept)
  const faults = findings.filter(({severity}) => severity === 'fault').length
  const mark = (page: PageName) => {
    if (page === 'anchors' && faults > 0)
      return <Severity is="fault">{`${faults} fault${faults > 1 ? 's' : ''}`}</Severity>
    const labels = studio.project.value.labels.length
    return page === 'label' && labels > 0 ? <span class="count">{labels}</span> : null
  }
  return (
    <nav class="rail" id="rail" aria-label="Pages" popover="auto">
      {(Object.keys(pages) as PageName[]).map(page => (
        <a
          key={page}
          href={writeAddress(addressOf({...now, page} satisfies View, concepts, undefined))}
          aria-current={page === now.page ? 'page' : undefined}
          onClick={event => {
            event.preventDefault()
            studio.go({page})
            const rail = document.getElementById('rail')
            if (rail?.matches(':popover-open')) rail.hidePopover()
          }}
        >
          <span>{pages[page].title}</span>
          {mark(page)}
        </a>
      ))}
    </nav>
  )
}

/** The toast, and the one region that screen readers listen to. */
function Spoken() {
  const studio = useStudio()
  const said = studio.said.value
  useEffect(() => {
    if (!said || said.isFault) return
    const timer = setTimeout(studio.hush, TOAST_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [said])
  const toast = useRef<HTMLDivElement>(null)
  // What has the focus is never hidden: a toast that covers it goes.
  useEffect(() => {
    const uncover = ({target}: FocusEvent) => {
      if (toast.current && target instanceof Element && covers(toast.current, target)) studio.hush()
    }
    document.addEventListener('focusin', uncover)
    return () => document.removeEventListener('focusin', uncover)
  }, [studio])
  const [words, act] = said?.isEdit ? (['Undo', studio.undo] as const) : (['Close', studio.hush] as const)
  const action = (
    <Button look="quiet" isLittle onClick={act}>
      {words}
    </Button>
  )
  // The Label page shows each answer and its own Undo: there the toast would only cover the intervals, and what is not seen has no button.
  const isQuiet = studio.view.value.page === 'label' && said?.isEdit
  return (
    <div class={isQuiet ? 'spoken unseen' : 'spoken'} role="status" aria-live="polite" ref={toast}>
      {said ? (
        <Toast isFault={said.isFault} action={isQuiet ? null : action}>
          {said.message}
        </Toast>
      ) : null}
    </div>
  )
}

/** Whether a small element lies under another, which it is no part of. */
function covers(above: Element, below: Element): boolean {
  const [over, under] = [above.getBoundingClientRect(), below.getBoundingClientRect()]
  const [x, y] = [(under.left + under.right) / 2, (under.top + under.bottom) / 2]
  const isUnder = over.left < x && x < over.right && over.top < y && y < over.bottom
  return isUnder && under.height <= over.height && !above.contains(below)
}

/** Keys that work everywhere; letters alone only outside of fields. */
function useKeys(studio: Studio, open: (name: WindowName) => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isField = isTyped(event.target)
      const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey
      const key = event.key.toLowerCase()
      if (isCommand && key === 's') saveProject(studio)
      else if (isCommand && key === 'z' && !isField) event.shiftKey ? studio.redo() : studio.undo()
      else if (key === '?' && !isField && !isCommand) open('keys')
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [studio])
}
