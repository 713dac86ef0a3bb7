import * as v from 'valibot'

const text = v.string('must be text')

/** The section `[cluster]`. */
export const ClusterConfig = v.strictObject({
  /** The addresses of etcd; empty: this gateway is in no cluster. */
  etcd: v.array(
    v.pipe(
      text,
      v.regex(/^https?:\/\/[^\s/?#]+\/?$/, 'must be the address of an etcd, such as http://10.0.0.1:2379'),
    ),
    'must be a list of addresses',
  ),
  /** The name of this gateway; empty: the host name. */
  name: v.pipe(
    text,
    v.regex(/^[\w.-]{0,64}$/, 'must be at most 64 letters, digits, dots, hyphens and underscores'),
  ),
  /** The own address of this gateway, where the others reach it. */
  advertise_url: v.pipe(text, v.regex(/^(https:\/\/[^\s/?#]+\/?)?$/, 'must be an https address')),
  /** Authority of etcd's certificate, own certificate and key for etcd (PEM); empty: none. */
  ca_file: text,
  cert_file: text,
  key_file: text,
  /** Login of etcd; empty: none. */
  user: text,
  password_file: text,
})

export const CLUSTER_DEFAULTS: v.InferOutput<typeof ClusterConfig> = {
  etcd: [],
  name: '',
  advertise_url: '',
  ca_file: '',
  cert_file: '',
  key_file: '',
  user: '',
  password_file: '',
}
