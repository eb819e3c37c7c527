import {useEffect, useRef} from 'preact/hooks'

/** A button that asks for files. */
export function Browse(props: {
  readonly look?: 'primary' | undefined
  readonly onFiles: (files: readonly File[]) => unknown
  readonly children: string
}) {
  return (
    <label class={`button ${props.look ?? ''} browse`}>
      {props.children}
      <input
        class="unseen"
        type="file"
        multiple
        onChange={async event => {
          const field = event.currentTarget
          await props.onFiles([...(field.files ?? [])])
          // The same file may be chosen again.
          field.value = ''
        }}
      />
    </label>
  )
}

/** Files that are dropped anywhere on the page. */
export function useDrop(onFiles: (files: readonly File[]) => unknown): void {
  const latest = useRef(onFiles)
  latest.current = onFiles
  useEffect(() => {
    const allow = (event: DragEvent) => event.preventDefault()
    const drop = (event: DragEvent) => {
      event.preventDefault()
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length > 0) latest.current(files)
    }
    document.addEventListener('dragover', allow)
    document.addEventListener('drop', drop)
    return () => {
      document.removeEventListener('dragover', allow)
      document.removeEventListener('drop', drop)
    }
  }, [])
}
