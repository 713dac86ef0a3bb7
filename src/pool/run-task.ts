import type { PoolTask, PoolTaskInput, PoolTaskName, PoolTaskOutput } from '#contracts/pool-tasks.ts'
import { renderAlert, renderPreview } from '#domain/alert/render-alert.ts'
import { readHook } from '#domain/device/read-hook.ts'
import { hashPassword, verifyPassword } from '#pool/tasks/hash-password.ts'
import { signNotifications } from '#pool/tasks/sign-notifications.ts'

type TaskTable = {
  readonly [N in PoolTaskName]: (input: PoolTaskInput<N>) => PoolTaskOutput<N> | Promise<PoolTaskOutput<N>>
}

const TASKS: TaskTable = {
  'hash-password': ({ password }) => hashPassword(password),
  'verify-password': ({ password, hash }) => verifyPassword(password, hash),
  'sign-notifications': signNotifications,
  'render-alert': alert => renderAlert(alert.request, alert.template, alert.readings),
  'render-large-alert': alert => renderAlert(alert.request, alert.template, alert.readings),
  'read-large-hook': readHook,
  'preview-alert': alert =>
    'request' in alert
      ? renderAlert(alert.request, alert.template, alert.readings)
      : renderPreview(alert.payload, alert.template, alert.readings),
}

export function runTask<N extends PoolTaskName>({ name, input }: PoolTask<N>) {
  return TASKS[name](input)
}
