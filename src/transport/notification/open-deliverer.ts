import type { Deliverer, DelivererOptions } from '#transport/notification/deliver.ts'

/**
 * A deliverer that imports its code, mainly undici, at its first delivery, because most gateways send no
 * notifications.
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
