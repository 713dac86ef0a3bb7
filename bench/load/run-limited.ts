/** Runs `count` tasks, at most `atOnce` at the same time. Returns their results in order. */
export async function runLimited<T>(
  { count, atOnce }: { readonly count: number; readonly atOnce: number },
  task: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const worker = async () => {
    for (let index = next++; index < count; index = next++) results[index] = await task(index)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}
