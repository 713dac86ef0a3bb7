/** Generators of TypeScript clients, each with a program that uses its code, and linters of the document. */

export interface Generator {
  /** Packages of npm with their versions. The first is the tool itself, and the report shows its name. */
  readonly npm: readonly string[]
  /** Files that the command reads beside `openapi.json`, by name. */
  readonly files?: Readonly<Record<string, string>>
  /** Makes `api.ts` or the folder `api` from `openapi.json`. */
  readonly command: readonly string[]
  /** Sends a text with the generated code and reads it back; throws an error if either fails. */
  readonly program: string
}

const TYPESCRIPT = 'typescript@5.9.3'

const BEGIN = `
const { ROOST_URL: baseUrl = '', ROOST_SECRET: key = '' } = process.env
const { ROOST_TEXT: message = '', ROOST_TO: phoneNumber = '' } = process.env
`

export const GENERATORS: readonly Generator[] = [
  {
    npm: ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', TYPESCRIPT],
    command: ['openapi-typescript', 'openapi.json', '-o', 'api.ts'],
    program: `
import createClient from 'openapi-fetch'
import type { paths } from './api.ts'
${BEGIN}
const client = createClient<paths>({ baseUrl, headers: { 'X-API-Key': key } })
const { data, error } = await client.POST('/api/v1/sms/send', { body: { phoneNumber, message } })
if (error !== undefined) throw new Error(error.error.message)
const id: string = data.data.messageId
const shown = await client.GET('/api/v1/sms/{messageId}', { params: { path: { messageId: id } } })
if (shown.data?.data.message !== message) throw new Error('another message')
`,
  },
  {
    npm: ['@hey-api/openapi-ts@0.99.0', TYPESCRIPT],
    command: ['openapi-ts', '-i', 'openapi.json', '-o', 'api'],
    // The client puts the key into every place where the description has a credential.
    program: `
import { client } from './api/client.gen.ts'
import { getMessage, listMessages, sendSms } from './api/index.ts'
${BEGIN}
client.setConfig({ baseUrl, auth: key })
const { data, error } = await sendSms({ body: { phoneNumber, message } })
if (error !== undefined) throw new Error(error.error.message)
const id: string = data.data.messageId
const shown = await getMessage({ path: { messageId: id } })
if (shown.data?.data.message !== message) throw new Error('another message')
const { data: page } = await listMessages({ query: { limit: 1 } })
if (page?.data[0]?.messageId !== id) throw new Error('another message is first')
`,
  },
  {
    npm: ['swagger-typescript-api@13.13.0'],
    command: ['swagger-typescript-api', 'generate', '-p', 'openapi.json', '-o', '.', '-n', 'api.ts'],
    program: `
import { Api } from './api.ts'
${BEGIN}
const { api } = new Api({ baseUrl, securityWorker: () => ({ headers: { 'X-API-Key': key } }) })
const { data } = await api.sendSms({ phoneNumber, message })
const id: string = data.data.messageId
const shown = await api.getMessage(id)
if (shown.data.data.message !== message) throw new Error('another message')
const list = await api.listMessages({ limit: 1 })
if (list.data.data[0]?.messageId !== id) throw new Error('another message is first')
`,
  },
  {
    npm: ['orval@8.38.0'],
    files: {
      'orval.config.mjs': `
const baseUrl = { getBaseUrlFromSpecification: true }
const output = { target: './api.ts', client: 'fetch', baseUrl }
export default { roost: { input: './openapi.json', output } }
`,
    },
    command: ['orval', '--config', 'orval.config.mjs'],
    program: `
import { getMessage, listMessages, sendSms } from './api.ts'
${BEGIN}
const options = { headers: { 'X-API-Key': key } }
const answer = await sendSms({ phoneNumber, message }, options)
if (answer.status !== 200) throw new Error(answer.data.error.message)
const id: string = answer.data.data.messageId
const shown = await getMessage(id, options)
if (shown.status !== 200 || shown.data.data.message !== message) throw new Error('another message')
const list = await listMessages({ limit: 1 }, options)
if (list.status !== 200 || list.data.data[0]?.messageId !== id) throw new Error('another message is first')
`,
  },
  {
    npm: ['@kubb/cli@4.39.3', ...['core', 'plugin-oas', 'plugin-ts', 'plugin-client'].map(kubb), TYPESCRIPT],
    files: {
      'kubb.config.mjs': `
import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'
export default defineConfig({
  input: { path: './openapi.json' },
  output: { path: './api', format: false },
  plugins: [pluginOas({ generators: [] }), pluginTs(), pluginClient({ client: 'fetch', bundle: true })],
})
`,
    },
    command: ['kubb', 'generate', '--silent'],
    program: `
import { setConfig } from './api/.kubb/fetch.ts'
import { getMessage, listMessages, sendSms } from './api/index.ts'
${BEGIN}
setConfig({ baseURL: baseUrl, headers: { 'X-API-Key': key } })
const { data } = await sendSms({ phoneNumber, message })
const id: string = data.messageId
const shown = await getMessage(id)
if (shown.data.message !== message) throw new Error('another message')
const list = await listMessages({ limit: 1 })
if (list.data[0]?.messageId !== id) throw new Error('another message is first')
`,
  },
]

function kubb(part: string): string {
  return `@kubb/${part}@4.39.3`
}

/** A linter for the document. It must report neither an error nor a warning. */
export type Linter = Omit<Generator, 'program'>

export const LINTERS: readonly Linter[] = [
  {
    npm: ['@redocly/cli@2.77.0'],
    command: ['redocly', 'lint', '--extends=recommended-strict', 'openapi.json'],
  },
  {
    npm: ['@stoplight/spectral-cli@6.16.3'],
    files: { 'rules.yaml': 'extends: spectral:oas\n' },
    command: ['spectral', 'lint', 'openapi.json', '--ruleset=rules.yaml', '--fail-severity=hint'],
  },
]
