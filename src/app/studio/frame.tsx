import {useEffect, useRef} from 'preact/hooks'
import {counted} from '../../base/text/index.ts'
import {pages} from './pages.tsx'
import {StatusBar} from './status-bar.tsx'
import {pageNames, type Studio, StudioContext, useStudio} from './store.ts'
import {saveProject, TopBar} from './top-bar.tsx'
import {openFindings} from './ui/concept-marks.ts'
import {Button} from './ui/controls.tsx'
import {GoLink} from './ui/go-link.tsx'
import {closePopover, isTyped} from './ui/keys.ts'
import {Severity} from './ui/marks.tsx'
import {Windows} from './windows.tsx'

/** Bar, navigation, page and status bar; one live region; windows. */
export function Frame({studio}: {studio: Studio}) {
  const main = useRef<HTMLElement>(null)
  const {page} = studio.view.value
  const {title, Page} = pages[page]
  const shown = useRef(page)
  useKeys(studio)
  useEffect(() => {
    document.title = `${title} - ${studio.project.value.name} - adfa studio`
    // Unless something on the new page has it already.
    if (shown.current !== page && !main.current?.contains(document.activeElement)) main.current?.focus()
    shown.current = page
  }, [title, page, studio.project.value.name])
  return (
    <StudioContext.Provider value={studio}>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <div class="studio">
        <TopBar />
        <Navigation />
        <main class={page === 'start' || page === 'compare' ? 'page' : 'page fixed'} id="page" tabIndex={-1} ref={main}>
          <Page />
        </main>
        <StatusBar />
      </div>
      <Spoken />
      <Windows />
    </StudioContext.Provider>
  )
}

function Navigation() {
  const studio = useStudio()
  const {anchors, labels} = studio.project.value
  const faults = openFindings(studio.state.value, anchors).filter(({severity}) => severity === 'fault').length
  return (
    <nav class="navigation" id="navigation" aria-label="Pages" popover="auto">
      {pageNames.map(page => (
        <GoLink
          key={page}
          to={{page}}
          isCurrent={page === studio.view.value.page}
          onGone={() => closePopover('navigation')}
        >
          <span>{pages[page].title}</span>
          {page === 'anchors' && faults > 0 ? <Severity is="fault">{counted(faults, 'fault')}</Severity> : null}
          {page === 'label' && labels.length > 0 ? <span class="count">{labels.length}</span> : null}
        </GoLink>
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
  // What has the focus is never hidden: a toast that covers its middle goes.
  useEffect(() => {
    const uncover = ({target}: FocusEvent) => {
      if (!(target instanceof Element) || toast.current?.contains(target)) return
      const {left, right, top, bottom} = target.getBoundingClientRect()
      const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      if (toast.current?.contains(above)) studio.hush()
    }
    document.addEventListener('focusin', uncover)
    return () => document.removeEventListener('focusin', uncover)
  }, [studio])
  // The Label page shows each answer and its own Undo: there the toast would only cover the intervals, and what is not seen has no button.
  const isQuiet = studio.view.value.page === 'label' && said?.isEdit
  return (
    <div class={isQuiet ? 'spoken unseen' : 'spoken'} role="status" aria-live="polite" ref={toast}>
      {said ? (
        <div class={said.isFault ? 'toast bad' : 'toast'}>
          <span>{said.message}</span>
          {isQuiet ? null : (
            <Button look="quiet" isLittle onClick={said.isEdit ? studio.undo : studio.hush}>
              {said.isEdit ? 'Undo' : 'Close'}
            </Button>
          )}
        </div>
      ) : null}
    </div>
  )
}

/** Keys that work everywhere; letters alone only outside of fields. */
function useKeys(studio: Studio): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isField = isTyped(event.target)
      const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey
      const key = event.key.toLowerCase()
      if (isCommand && key === 's') saveProject(studio)
      else if (isCommand && key === 'z' && !isField) event.shiftKey ? studio.redo() : studio.undo()
      else if (key === '?' && !isField && !isCommand) studio.opened.value = 'keys'
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [studio])
}
