/** The modem of scripts/service/check-modem.sh: `pretend-modem.ts NAME`, that of its abstract socket. */
import { PretendModem } from '#test/kit/modem/pretend-modem.ts'

const modem = await PretendModem.start(process.argv[2] ?? 'roost')
console.log('listening')
for (let printed = 0; ; printed++) {
  await modem.until(() => modem.onAir.length > printed)
  const sent = modem.onAir[printed]
  console.log(`on the air: ${sent?.phoneNumber} ${sent?.text}`)
}
