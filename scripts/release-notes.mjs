// Prints what CHANGELOG.md says about a version: node scripts/release-notes.mjs v0.1.0
// The tag must name the version of package.json, and the changelog must describe it.
import { readFileSync } from 'node:fs'

const [, , tag = ''] = process.argv
const read = name => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const { version } = JSON.parse(read('package.json'))
if (tag !== `v${version}`) fail(`the tag ${tag} is not v${version}, the version of package.json`)
const [, notes = ''] = read('CHANGELOG.md').split(`\n## [${version}]`)
// After the heading's date and before the next heading or the links at the end.
const text = notes.replace(/^.*\n/, '').replace(/\n(## |\[[^\]]+\]: )[\s\S]*$/, '')
if (text.trim() === '') fail(`CHANGELOG.md has no text about ${version}`)
process.stdout.write(`${text.trim()}\n`)

function fail(message) {
  process.stderr.write(`release-notes: ${message}\n`)
  process.exit(1)
}
