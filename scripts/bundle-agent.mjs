// Bundles the agent into one file that needs nothing but Node ≥ 20: node scripts/bundle-agent.mjs
// dist/agent.mjs
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { licensesOfInputs } from '#scripts/collect-licenses.mjs'

const top = fileURLToPath(new URL('..', import.meta.url))

/** Writes the agent as one ES module to `outFile`; returns the paths of the files in it. */
export async function bundleAgent(outFile) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: top,
    entryPoints: ['src/agent/standalone.ts'],
    outfile: outFile,
    write: false,
    metafile: true,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
    // ws is CommonJS: in an ES module it needs a `require`, which an ES module does not have.
    banner: {
      js: [
        '#!/usr/bin/env node',
        "import { createRequire } from 'node:module'",
        'const require = createRequire(import.meta.url)',
      ].join('\n'),
    },
    // Optional native packages of ws, which works without them.
    external: ['bufferutil', 'utf-8-validate'],
  })
  const inputs = Object.keys(metafile.inputs)
  mkdirSync(dirname(outFile), { recursive: true })
  writeFileSync(outFile, `${outputFiles[0].text}${notices(inputs)}\n`)
  return inputs
}

/** A comment with the licences of the bundled packages, which require that their texts go with the bundle. */
function notices(inputs) {
  const texts = licensesOfInputs(inputs).map(({ name, text }) => `${name}\n\n${text}`)
  return `/*\nThis file contains:\n\n${texts.join('\n\n').replaceAll('*/', '* /')}\n*/`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , outFile] = process.argv
  if (outFile === undefined) {
    process.stderr.write('usage: node scripts/bundle-agent.mjs OUT_FILE\n')
    process.exit(2)
  }
  await bundleAgent(outFile)
}
