import {type Methods, serve} from '../../session/index.ts'

/** Answer the calls that come through the port that the page hands over. */
export function servePort<Api extends Methods<Api>, Event>(make: (emit: (event: Event) => void) => Api): void {
  self.addEventListener('message', ({ports: [port]}: MessageEvent) => {
    serve<Api, Event>(port, make)
    port.start()
  })
}
