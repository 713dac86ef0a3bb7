/** The ports on which the gateway listens. Null: none for this protocol. */
export interface Endpoints {
  readonly http: number | null
  readonly https: number | null
}

/** The keys of the section `http` that define the ports. */
export interface EndpointSettings {
  readonly port: number
  readonly tls_port: number
  readonly tls_cert_file: string
}

/** Without `tls_port` there is one port. It serves HTTPS if a certificate is configured. */
export function endpointsOf({ port, tls_port, tls_cert_file }: EndpointSettings): Endpoints {
  if (tls_port > 0) return { http: port === 0 ? null : port, https: tls_port }
  return tls_cert_file === '' ? { http: port, https: null } : { http: null, https: port }
}
