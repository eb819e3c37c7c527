/** The components that all pages share. */
export {Button, Choices, Empty, Field, Select, Toast} from './controls.tsx'
export {DocText, Spans} from './doc-text.tsx'
export {Bar, intervalText, Meter, Severity, StateMark, Whisker} from './marks.tsx'
export {type KeyGroup, Keys, Window} from './window.tsx'
