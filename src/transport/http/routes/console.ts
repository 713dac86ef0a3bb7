import * as v from 'valibot'
import type { ConsoleFile } from '#contracts/console-files.ts'
import { notFound, Problem } from '#domain/problem.ts'
import type { Answer, Call, Route } from '#transport/http/route.ts'

/**
 * The console's security policy: it may load only files of this gateway, and must not run text as script.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "manifest-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')
/** Swagger UI sets inline styles and uses images embedded in its style sheet. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  Vary: 'Accept-Encoding',
}
const PAGE_HEADERS = {
  ...HEADERS,
  'Content-Security-Policy': POLICY,
  'Cache-Control': 'no-cache',
}
/** Files are cached for a year, because their names change with their contents. */
const FILE_HEADERS = { ...HEADERS, 'Cache-Control': 'public, max-age=31536000, immutable' }

/** Each function reads its files at the first call; null: this build does not have them. */
export interface ConsolePorts {
  readonly consoleFiles: () => readonly ConsoleFile[] | null
  readonly docsFiles: () => readonly ConsoleFile[] | null
  readonly handbookFiles: () => readonly ConsoleFile[] | null
}

/** The routes of the console, the API's documentation page and the handbook, with the files they load. */
export function consoleRoutes({ consoleFiles, docsFiles, handbookFiles }: ConsolePorts): Route[] {
  const filesWith = (name: string) => {
    if (name.startsWith('docs-')) return docsFiles()
    return name.startsWith('handbook-') ? handbookFiles() : consoleFiles()
  }
  const pageIn = (files: readonly ConsoleFile[] | null, path: string): ConsoleFile => {
    const page = files?.find(file => file.path === path)
    if (page === undefined) throw new Problem('NOT_FOUND', 'this build has no console: npm run build')
    return page
  }
  return [
    {
      method: 'get',
      path: '/',
      access: 'public',
      body: 'none',
      handle: call => {
        const page = pageIn(consoleFiles(), '')
        // Only over HTTPS: over plain HTTP, browsers ignore this header and log a warning.
        const opener = call.isSecure() ? { 'Cross-Origin-Opener-Policy': 'same-origin' } : {}
        return answer(page, call, { ...PAGE_HEADERS, ...opener })
      },
    },
    {
      method: 'get',
      path: '/api/v1/docs',
      access: 'public',
      body: 'none',
      operation: {
        id: 'getDocs',
        tag: 'gateway',
        summary: 'This document as a page, to read and to try',
        description: 'Swagger UI. The page loads nothing from other hosts.',
        response: v.string(),
        bare: 'text/html',
        problems: [404, 429],
        example: { data: '<!doctype html>\n<html lang="en">…</html>\n' },
      },
      handle: call =>
        answer(pageIn(docsFiles(), 'api/v1/docs'), call, {
          ...PAGE_HEADERS,
          'Content-Security-Policy': DOCS_POLICY,
        }),
    },
    ...['/handbook', '/handbook/{section}'].map((path): Route => {
      const handle = (call: Call) => {
        const [section] = call.parameters
        const found = pageIn(handbookFiles(), section === undefined ? 'handbook' : `handbook/${section}`)
        return answer(found, call, PAGE_HEADERS)
      }
      return { method: 'get', path, access: 'public', body: 'none', handle }
    }),
    {
      method: 'get',
      path: '/console/{file}',
      access: 'public',
      body: 'none',
      handle: call => {
        const name = call.parameters[0] ?? ''
        const files = filesWith(name)
        const file = files?.find(({ path }) => path === `console/${name}`)
        if (file === undefined) throw notFound('file of the console')
        return answer(file, call, FILE_HEADERS)
      },
    },
  ]
}

function answer(file: ConsoleFile, call: Call, headers: Readonly<Record<string, string>>): Answer {
  const accepted = (call.header('accept-encoding') ?? '').split(',').map(one => one.split(';')[0]?.trim())
  const encoding = (['br', 'gzip'] as const).find(one => accepted.includes(one))
  if (encoding === undefined) return { raw: file.plain, contentType: file.contentType, headers }
  const encoded = { ...headers, 'Content-Encoding': encoding }
  return { raw: file[encoding], contentType: file.contentType, headers: encoded }
}
