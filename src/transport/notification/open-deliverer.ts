import type { Deliverer, DelivererOptions } from '#transport/notification/deliver.ts'

/**
 * A deliverer whose code (undici above all) is loaded at its first delivery: most gateways notify nobody.
 */
export function openDeliverer(options: DelivererOptions): Deliverer {
  let opened: Promise<Deliverer> | null = null
  let isClosed = false
  const open = async () => {
    const { createDeliverer } = await import('#transport/notification/deliver.ts')
    const deliverer = createDeliverer(options)
    if (isClosed) await deliverer.close()
    return deliverer
  }
  return {
    async deliver(target) {
      opened ??= open()
      return (await opened).deliver(target)
    },
    async close() {
      isClosed = true
      await (await opened)?.close()
    },
  }
}
