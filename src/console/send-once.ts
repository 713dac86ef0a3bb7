/** Sends the text of a form once, however often its button is pressed or the browser repeats the call. */

/** A text that was posted and may have been taken. */
interface Attempt {
  readonly fields: string
  readonly key: string
  /** Null: the gateway refused the last body. */
  readonly json: object | null
}

/** Posts a body with an idempotency key. */
type Post<T> = (json: object, idempotencyKey: string) => Promise<T>

/**
 * Makes the function that sends a form. It takes what the person typed and chose, and the body made of it.
 * While `fields` stay the same, each press has the key and the body of the first press: the gateway refuses
 * the key with another body, and the body also says what only the page knows, such as whether to wait for a
 * phone.
 */
export function onceFor<T>(post: Post<T>, newKey: () => string) {
  let last: Attempt | null = null
  return async (fields: readonly string[], json: object): Promise<T> => {
    const typed = JSON.stringify(fields)
    const key = last?.fields === typed ? last.key : newKey()
    const body = (last?.fields === typed ? last.json : null) ?? json
    last = { fields: typed, key, json: body }
    try {
      const answer = await post(body, key)
      last = null
      return answer
    } catch (error) {
      // The gateway would have known the key, so it has taken nothing. The next body may say that it waits.
      if ((error as { code?: string }).code === 'NO_DEVICE_AVAILABLE')
        last = { fields: typed, key, json: null }
      throw error
    }
  }
}
