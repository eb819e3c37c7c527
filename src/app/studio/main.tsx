import {render} from 'preact'
import {Empty} from './parts.tsx'
const root = document.getElementById('studio')
if (root) render(<Empty title="Hello">there</Empty>, root)
