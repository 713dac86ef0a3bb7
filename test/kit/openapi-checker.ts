/**
 * Checks answers of the gateway against its own OpenAPI description: for each described path, the status, the
 * headers and the body must be described.
 */
import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { VERSION } from '#contracts/version.ts'
import { declaredRoutes } from '#test/kit/routes.ts'
import { JSON_TYPE } from '#transport/http/http-answer.ts'
import { type ApiDocument, describeApi } from '#transport/http/openapi/describe-api.ts'

export interface AnswerToCheck {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

interface ResponsePart {
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>
  readonly content?: Readonly<Record<string, unknown>>
}

/** Headers of every answer under the API. */
const RATE = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
/** The header that a status requires. */
const BY_STATUS: Readonly<Record<number, string>> = {
  401: 'WWW-Authenticate',
  405: 'Allow',
  429: 'Retry-After',
}

export class OpenApiChecker {
  readonly #document: ApiDocument
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  readonly #validators = new Map<string, ValidateFunction>()
  readonly #templates: readonly { readonly template: string; readonly pattern: RegExp }[]
  /** Operations that were answered, as `post /api/v1/sms/send 200`. */
  readonly seen = new Set<string>()

  constructor(document: ApiDocument) {
    this.#document = document
    this.#ajv.addSchema(document, 'api')
    this.#templates = Object.keys(document.paths)
      .sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
      .map(template => ({ template, pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`) }))
  }

  /** @throws AssertionError that says what the document does not allow */
  check(answer: AnswerToCheck): void {
    const template = this.#templates.find(({ pattern }) => pattern.test(answer.path))?.template
    if (template === undefined) return
    const method = answer.method.toLowerCase()
    const operations = this.#document.paths[template] ?? {}
    const at = method in operations ? method : (Object.keys(operations)[0] ?? '')
    const responses = operations[at]?.['responses'] as Record<string, unknown>
    if (!(method in operations)) assert.equal(answer.status, 405, `${method} ${template}: no such operation`)
    const status = String(answer.status) in responses ? String(answer.status) : 'default'
    const what = `${method} ${template} ${answer.status}`
    if (status === 'default') assert.equal(answer.status, 405, `${what}: the status is not described`)
    this.seen.add(what)
    const pointer = this.#resolve(['paths', template, at, 'responses', status])
    const response = this.#at(pointer) as ResponsePart
    checkHeaders(what, answer, response)
    this.#checkBody(what, answer, { pointer, response })
  }

  #checkBody(
    what: string,
    answer: AnswerToCheck,
    { pointer, response }: { readonly pointer: readonly string[]; readonly response: ResponsePart },
  ): void {
    const contentType = answer.headers.get('content-type') ?? ''
    const type = Object.keys(response.content ?? {}).find(
      one => contentType === one || contentType.startsWith(`${one};`),
    )
    assert.ok(type !== undefined, `${what}: the content type ${contentType} is not described`)
    const validate = this.#validator([...pointer, 'content', type, 'schema'])
    const body: unknown = type === 'application/json' ? JSON.parse(answer.text) : answer.text
    if (validate(body)) return
    assert.fail(`${what}: ${this.#ajv.errorsText(validate.errors)}\n${answer.text}`)
  }

  #validator(pointer: readonly string[]): ValidateFunction {
    const ref = `api#/${pointer
      .map(part => part.replaceAll('~', '~0').replaceAll('/', '~1'))
      .map(encodeURIComponent)
      .join('/')}`
    let validator = this.#validators.get(ref)
    if (validator === undefined) {
      validator = this.#ajv.compile({ $ref: ref })
      this.#validators.set(ref, validator)
    }
    return validator
  }

  /** Follows a reference at the end of a pointer. */
  #resolve(pointer: readonly string[]): readonly string[] {
    const part = this.#at(pointer) as { readonly $ref?: string }
    return part.$ref === undefined ? pointer : part.$ref.split('/').slice(1)
  }

  #at(pointer: readonly string[]): unknown {
    let part: unknown = this.#document
    for (const key of pointer) part = (part as Record<string, unknown>)[key]
    return part
  }
}

function checkHeaders(what: string, { path, status, headers }: AnswerToCheck, response: ResponsePart): void {
  const byStatus = BY_STATUS[status]
  const wanted = [
    'X-Request-Id',
    ...(path.startsWith('/api/v1/') ? RATE : []),
    ...(byStatus ? [byStatus] : []),
  ]
  for (const name of wanted) {
    assert.ok(name in (response.headers ?? {}), `${what}: the header ${name} is not described`)
    assert.ok(headers.has(name), `${what}: the header ${name} is missing`)
  }
  if (headers.get('content-type') !== JSON_TYPE) return
  assert.equal(headers.get('cache-control'), 'no-store', what)
  assert.equal(headers.get('x-content-type-options'), 'nosniff', what)
}

let shared: Promise<OpenApiChecker> | null = null

/** The checker for the routes of this program; one for all tests of a process. */
export function openApiChecker(): Promise<OpenApiChecker> {
  shared ??= declaredRoutes().then(
    routes => new OpenApiChecker(describeApi(routes, { version: VERSION, url: 'http://localhost' })),
  )
  return shared
}
