import {type Browser, firefox} from 'playwright-core'

/** A session of WebDriver BiDi inside Playwright, which runs in this process. */
interface Session {
  send(method: string, params: object): Promise<unknown>
  dispatchMessage(message: {
    readonly method?: string
    readonly params?: {download?: string; readonly url: string}
  }): void
}

interface Inside {
  readonly _connection: {toImpl(browser: Browser): {readonly _browserSession: Session}}
}

/** Launch a Firefox as it is installed. Playwright expects a newer WebDriver BiDi than that of Firefox 153 in two places. */
export async function launchFirefox(executablePath: string): Promise<Browser> {
  const browser = await firefox.launch({executablePath, channel: 'moz-firefox'})
  const {_browserSession} = (browser as unknown as Inside)._connection.toImpl(browser)
  const sessions: Session = Object.getPrototypeOf(_browserSession)
  const {send, dispatchMessage} = sessions
  // Colours of the reader cannot be set.
  sessions.send = async function (method, params) {
    return method === 'emulation.setMediaFeaturesOverride' ? {} : send.call(this, method, params)
  }
  // Downloads have no number; their addresses differ.
  sessions.dispatchMessage = function (message) {
    if (message.params && message.method?.startsWith('browsingContext.download'))
      message.params.download ??= message.params.url
    dispatchMessage.call(this, message)
  }
  return browser
}
