import type { Mailer, MailerOptions } from '#transport/notification/send-mail.ts'

/** A mailer that imports its code, mainly nodemailer, at its first mail. */
export function openMailer(options: MailerOptions): Mailer {
  let opened: Promise<Mailer> | null = null
  const open = async () => {
    const { createMailer } = await import('#transport/notification/send-mail.ts')
    return createMailer(options)
  }
  return {
    async deliver(mail) {
      opened ??= open()
      return (await opened).deliver(mail)
    },
    async close() {
      await (await opened)?.close()
    },
  }
}
