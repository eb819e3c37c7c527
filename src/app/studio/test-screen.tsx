import {render} from 'preact'
import {pages} from './pages.tsx'
import type {PageName, Studio} from './store.ts'
import {emptyState} from './test-desk.ts'
import {demoProject, fakeStudio} from './test-studio.ts'

/** A page of the studio with the fake desk, named in the fragment: `#anchors`, `#anchors,empty`. Bundled by test-shots.ts. */
const [page, kind] = location.hash.slice(1).split(',') as [PageName, string | undefined]
const view = {page}
const studio: Studio =
  kind === 'empty'
    ? fakeStudio({view: {page, concept: undefined}, state: emptyState, project: {...demoProject, anchors: []}})
    : fakeStudio({view})

function Screen() {
  const {Page} = pages[studio.view.value.page]
  return (
    <div class="studio">
      <header class="topbar">
        <span class="brand">adfa studio</span>
      </header>
      <nav class="rail" aria-label="Pages">
        {Object.entries(pages).map(([name, {title}]) => (
          <a key={name} href={`#${name}`} aria-current={name === studio.view.value.page ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <main class="page fixed" id="page" tabIndex={-1}>
        <Page studio={studio} />
      </main>
      <footer class="strip">
        <span>{studio.state.value.documents} documents</span>
      </footer>
    </div>
  )
}

render(<Screen />, document.body)
