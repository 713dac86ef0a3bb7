/** What is wrong with a field. */
export function Issue({ text, id }: { readonly text: string | undefined; readonly id?: string }) {
  if (text === undefined) return null
  return (
    <p class="issue" id={id} role="alert">
      {text}
    </p>
  )
}
