// Makes the pages of the handbook from GUIDE.md: one for each heading, at /handbook/<anchor of the heading>,
// and the index for their search. A link to a heading that does not exist ends the build.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Marked } from 'marked'
import { OTHER_NAMES } from '#scripts/handbook-names.mjs'

/** Headings of the handbook down to this level have pages of their own. */
const PAGE_DEPTH_MAX = 3
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/**
 * The pages of GUIDE.md, as `{ slug, title, depth, tokens }`; the first has no slug and holds what stands
 * before the first section.
 */
function readPages(markdown) {
  const pages = []
  for (const token of new Marked().lexer(markdown)) {
    const isPage = token.type === 'heading' && token.depth <= PAGE_DEPTH_MAX
    if (!isPage) pages.at(-1)?.tokens.push(token)
    else if (pages.length === 0) pages.push({ slug: '', title: token.text, depth: 1, tokens: [] })
    else pages.push({ slug: slugOf(token.text), title: token.text, depth: token.depth, tokens: [] })
  }
  return pages
}

/** The name that GitHub gives a heading, so that links work there and here. */
function slugOf(heading) {
  const kept = heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '')
  return kept.replaceAll(' ', '-')
}

/**
 * Returns the files of the handbook as `{ path, body }`. `assets` has the paths of its style sheet, script,
 * icon and index by name. All links are relative, because a proxy may serve the gateway below a path of its
 * own.
 */
export function handbookPages(assets) {
  const pages = readPages(readGuide())
  return pages.map((page, at) => {
    const path = page.slug === '' ? 'handbook' : `handbook/${page.slug}`
    return { path, body: Buffer.from(pageOf({ page, pages, at, assets })) }
  })
}

/** What the search looks at: `[slug, title, text, other names]` of each page. */
export function handbookIndex() {
  const pages = readPages(readGuide())
  const { render } = renderer(pages, '')
  const unknown = Object.keys(OTHER_NAMES).filter(name => !pages.some(({ slug }) => slug === name))
  if (unknown.length > 0) throw new Error(`handbook-names.mjs: ${unknown.join(', ')}: no such heading`)
  const rows = pages.slice(1).map(({ slug, title, tokens }) => {
    const text = render(tokens)
      .replaceAll(/<\/?(?:a|code|em|strong)\b[^>]*>/g, '')
      .replaceAll(/<[^>]*>/g, ' ')
    const plain = Object.entries(ENTITIES).reduceRight(
      (all, [char, entity]) => all.replaceAll(entity, char),
      text,
    )
    return [slug, title, plain.replaceAll(/\s+/g, ' ').trim(), OTHER_NAMES[slug] ?? '']
  })
  return Buffer.from(JSON.stringify(rows))
}

function readGuide() {
  return readFileSync(fileURLToPath(new URL('../GUIDE.md', import.meta.url)), 'utf8')
}

function renderer(pages, base) {
  const slugs = new Set(pages.map(({ slug }) => slug))
  const marked = new Marked({
    renderer: {
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens)
        if (/^https?:/.test(href)) return `<a href="${escapeHtml(href)}" rel="noreferrer">${words}</a>`
        // A file of the repository, which the gateway does not serve.
        if (!href.startsWith('#')) return words
        if (!slugs.has(href.slice(1))) throw new Error(`GUIDE.md: ${href}: no such heading`)
        return `<a href="${base}${href.slice(1)}">${words}</a>`
      },
    },
  })
  return {
    render(tokens) {
      const html = marked.parser(tokens)
      return withRowIds(html)
        .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
        .replaceAll('</table>', '</table></div>')
        .replaceAll('<pre>', '<pre tabindex="0">')
        .replaceAll('<th></th>', '<td></td>')
    },
  }
}

/** Gives each code that has a cell of a table an id, so that a problem or refusal can link to its row. */
function withRowIds(html) {
  const seen = new Set()
  return html.replaceAll(/<td[^>]*>(?:<code>[A-Z][A-Z0-9_]*<\/code>(?:, )?)+<\/td>/g, cells =>
    cells.replaceAll(/<code>(\w+)<\/code>/g, (code, id) => {
      if (seen.has(id)) return code
      seen.add(id)
      return code.replace('<code>', `<code id="${id}">`)
    }),
  )
}

function pageOf({ page, pages, at, assets }) {
  const isFirst = page.slug === ''
  const root = isFirst ? '' : '../'
  const base = isFirst ? 'handbook/' : ''
  const title = isFirst ? page.title : `${page.title} · The Roost handbook`
  const link = (other, words) =>
    other === undefined ? '' : `<a href="${hrefOf(other, isFirst)}">${words(escapeHtml(other.title))}</a>`
  const children = page.depth === 2 ? childrenOf(pages, at) : []
  const list = children.map(child => `<li>${link(child, words => words)}</li>`).join('')
  const before = link(pages[at - 1], words => `← ${words}`)
  const after = link(pages[at + 1], words => `${words} →`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${root}${assets['icon.svg']}" type="image/svg+xml">
<link rel="stylesheet" href="${root}${assets['handbook.css']}">
<script type="module" src="${root}${assets['handbook.js']}"></script>
</head>
<body data-index="${root}${assets['handbook-index.json']}" data-base="${base}">
<a class="skip" href="#page">Skip to the page</a>
<header>
<a href="${isFirst ? 'handbook' : '../handbook'}">The Roost handbook</a>
<search hidden>
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off">
</search>
<a class="narrow" href="#contents">Contents</a>
<a href="${root || './'}">Console</a>
</header>
<ul id="found" aria-live="polite"></ul>
<div class="columns">
<main id="page" tabindex="-1">
<h1>${escapeHtml(page.title)}</h1>
${renderer(pages, base).render(page.tokens)}
${list === '' ? '' : `<ul>${list}</ul>`}
<p class="turn"><span>${before}</span> <span>${after}</span></p>
</main>
<nav id="contents" aria-label="Contents">
${contents({ page, pages, isFirst })}
</nav>
</div>
</body>
</html>
`
}

function childrenOf(pages, at) {
  const rest = pages.slice(at + 1)
  const end = rest.findIndex(({ depth }) => depth <= 2)
  return end === -1 ? rest : rest.slice(0, end)
}

/** All sections as nested lists. */
function contents({ page, pages, isFirst }) {
  const item = other => {
    const here = other === page ? ' aria-current="page"' : ''
    return `<a href="${hrefOf(other, isFirst)}"${here}>${escapeHtml(other.title)}</a>`
  }
  const sections = pages.flatMap((section, at) => {
    if (section.depth !== 2) return []
    const children = childrenOf(pages, at).map(child => `<li>${item(child)}</li>`)
    return [`<li>${item(section)}${children.length === 0 ? '' : `<ul>${children.join('')}</ul>`}</li>`]
  })
  return `<ul>\n${sections.join('\n')}\n</ul>`
}

function hrefOf({ slug }, isFromFirst) {
  if (slug === '') return isFromFirst ? 'handbook' : '../handbook'
  return isFromFirst ? `handbook/${slug}` : slug
}

function escapeHtml(text) {
  return text.replaceAll(/[&<>"']/g, character => ENTITIES[character])
}
