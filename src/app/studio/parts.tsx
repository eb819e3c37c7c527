/** The components that all pages share. */
export {Button, Choices, Empty, Field, Select, Toast} from './controls.tsx'
export {DocText, Snippet, Spans} from './doc-text.tsx'
export {Bar, chance, intervalText, Meter, Severity, StateMark, Whisker} from './marks.tsx'
export {type KeyGroup, Keys, Window} from './window.tsx'
