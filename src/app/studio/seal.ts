import {signal} from '@preact/signals'

/** What the browser has asked for on behalf of this page, and what the policy of the page refused. */
export const requests = signal<{readonly own: number; readonly others: readonly string[]}>({own: 0, others: []})
export const refusals = signal(0)

/** The policy of the page, as its file gives it. */
export function policyInForce(): string {
  return document.querySelector<HTMLMetaElement>('meta[http-equiv="Content-Security-Policy"]')?.content ?? ''
}

/** Watch from now on; what was loaded before is counted too. */
export function watchRequests(): void {
  document.addEventListener('securitypolicyviolation', () => {
    refusals.value++
  })
  const observer = new PerformanceObserver(list => {
    const names = list.getEntries().map(({name}) => name)
    const isOwn = (name: string) => /^(blob|data):/.test(name) || name.startsWith(`${location.origin}/`)
    requests.value = {
      own: requests.value.own + names.filter(isOwn).length,
      others: [...requests.value.others, ...names.filter(name => !isOwn(name))]
    }
  })
  observer.observe({type: 'resource', buffered: true})
}
