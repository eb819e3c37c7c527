import {useEffect, useRef, useState} from 'preact/hooks'
import {counted} from '../../base/text/index.ts'
import {addressOf, writeAddress} from './address.ts'
import {pages} from './pages.tsx'
import {StatusBar} from './status-bar.tsx'
import {type PageName, pageNames, type Studio, StudioContext, useStudio} from './store.ts'
import {saveProject, TopBar} from './top-bar.tsx'
import {openFindings} from './ui/concept-marks.ts'
import {Button} from './ui/controls.tsx'
import {isTyped} from './ui/keys.ts'
import {Severity} from './ui/marks.tsx'
import {KeysWindow, PrivacyWindow, type WindowName} from './windows.tsx'

/** Bar, navigation, page and status bar; one live region; windows. */
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
        <Navigation />
        <main class={page === 'start' || page === 'compare' ? 'page' : 'page fixed'} id="page" tabIndex={-1} ref={main}>
          <Page />
        </main>
        <StatusBar onPrivacy={() => setOpen('privacy')} />
      </div>
      <Spoken />
      {open === 'keys' ? <KeysWindow onClose={close} /> : null}
      {open === 'privacy' ? <PrivacyWindow onClose={close} /> : null}
    </StudioContext.Provider>
  )
}

function Navigation() {
  const studio = useStudio()
  const now = studio.view.value
  const {anchors, labels} = studio.project.value
  const concepts = anchors.map(({concept}) => concept)
  const faults = openFindings(studio.state.value, anchors).filter(({severity}) => severity === 'fault').length
  const go = (event: Event, page: PageName) => {
    event.preventDefault()
    studio.go({page})
    const menu = document.getElementById('navigation')
    if (menu?.matches(':popover-open')) menu.hidePopover()
  }
  return (
    <nav class="navigation" id="navigation" aria-label="Pages" popover="auto">
      {pageNames.map(page => (
        <a
          key={page}
          href={writeAddress(addressOf({...now, page}, concepts, undefined))}
          aria-current={page === now.page ? 'page' : undefined}
          onClick={event => go(event, page)}
        >
          <span>{pages[page].title}</span>
          {page === 'anchors' && faults > 0 ? <Severity is="fault">{counted(faults, 'fault')}</Severity> : null}
          {page === 'label' && labels.length > 0 ? <span class="count">{labels.length}</span> : null}
        </a>
      ))}
    </nav>
  )
}

const TOAST_MILLISECONDS = 8000

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
  // The Label page shows each answer and its own Undo: there the toast would only cover the intervals, and what is not seen has no button.
  const isQuiet = studio.view.value.page === 'label' && said?.isEdit
  return (
    <div class={isQuiet ? 'spoken unseen' : 'spoken'} role="status" aria-live="polite" ref={toast}>
      {said ? (
        <div class={said.isFault ? 'toast bad' : 'toast'}>
          <span>{said.message}</span>
          {isQuiet ? null : (
            <Button look="quiet" isLittle onClick={act}>
              {words}
            </Button>
          )}
        </div>
      ) : null}
    </div>
  )
}

/** Whether a small element lies under another, which it is not a part of. */
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
