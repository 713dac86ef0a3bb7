// The fastest possible server to compare with: uWebSockets.js that only echoes the body. Prints its port.
import { App, us_socket_local_port } from 'uWebSockets.js'

App()
  .post('/*', res => {
    res.onAborted(() => {})
    res.onData((chunk, isLast) => {
      if (!isLast) return
      const body = Buffer.from(new Uint8Array(chunk))
      res.cork(() => {
        res.writeHeader('Content-Type', 'application/json; charset=utf-8')
        res.end(body)
      })
    })
  })
  .listen('127.0.0.1', 0, socket => {
    process.stdout.write(`${socket === false ? 0 : us_socket_local_port(socket)}\n`)
  })
