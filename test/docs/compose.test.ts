import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

test('compose.yaml of the handbook fits the image and the version', () => {
  const [, text = ''] = /```yaml\n(# compose\.yaml\n[\s\S]*?)```/.exec(read('GUIDE.md')) ?? []
  const { services, volumes } = parse(text)
  const [, data = ''] = /^VOLUME (\S+)$/m.exec(read('Containerfile')) ?? []
  assert.deepEqual(services.roost.volumes, [`data:${data}`])
  assert.ok('data' in volumes)
  assert.equal(services.roost.image, `localhost/roost:${JSON.parse(read('package.json')).version}`)
  assert.match(read('Containerfile'), new RegExp(`^ENV ROOST_DATA_DIR=${data} `, 'm'))
})
