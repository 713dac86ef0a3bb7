// Writes the handbook as static files for any web server: node scripts/static-handbook.mjs FOLDER
//
// The gateway serves the pages of dist/handbook.json at /handbook and /handbook/NAME. Here the first page is
// index.html and the others are handbook/NAME.html, and all links say so. A first run needs `npm run build`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const [, , folder] = process.argv
if (folder === undefined) throw new Error('name the folder: node scripts/static-handbook.mjs FOLDER')
const bundle = name => JSON.parse(readFileSync(new URL(`../dist/${name}`, import.meta.url), 'utf8'))
const files = [
  ...bundle('handbook.json'),
  ...bundle('console.json').filter(({ path }) => /^console\/icon-\w+\.svg$/.test(path)),
]
const names = new Set(files.map(({ path }) => path))

for (const { path, plain } of files) {
  const content = Buffer.from(plain, 'base64')
  const isPage = path.startsWith('handbook')
  const target = join(folder, isPage ? fileOf(path) : path)
  mkdirSync(dirname(target), { recursive: true })
  if (isPage) writeFileSync(target, withLinks(content.toString(), path))
  else if (path.includes('handbook-index')) writeFileSync(target, indexOf(content))
  else writeFileSync(target, content)
}

function fileOf(path) {
  return path === 'handbook' ? 'index.html' : `${path}.html`
}

/** A link to a page names its file. No console is here: the link to it goes. */
function withLinks(page, path) {
  return page
    .replace(/<a href="[^"]*">Console<\/a>\n/, '')
    .replaceAll(/href="([^":#]+)(#[^"]*)?"/g, (whole, href, anchor = '') => {
      const wanted = new URL(href, `http://site/${path}`).pathname.slice(1)
      if (!wanted.startsWith('handbook')) return whole
      if (!names.has(wanted)) throw new Error(`${path}: a link to ${wanted}, which is no page`)
      return `href="${path === 'handbook' ? '' : '../'}${fileOf(wanted)}${anchor}"`
    })
}

/** The rows of the search, with the files as names. */
function indexOf(content) {
  const rows = JSON.parse(content.toString())
  return JSON.stringify(rows.map(([slug, ...rest]) => [`${slug}.html`, ...rest]))
}
