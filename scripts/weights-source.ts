/** Weights as the source of a table: `name=weight`, the greatest first. */
export function weightLines(weights: ReadonlyMap<string, number>): string {
  const pairs = [...weights]
    .map(([name, weight]): [string, number] => [name, Math.round(weight * 10) / 10])
    .sort((one, other) => other[1] - one[1] || one[0].localeCompare(other[0]))
  const lines = pairs
    .map(([name, weight]) => `${name}=${weight}`)
    .reduce<string[]>((all, pair) => {
      const last = all.at(-1)
      if (last === undefined || last.length + pair.length > 95) all.push(pair)
      else all[all.length - 1] = `${last} ${pair}`
      return all
    }, [])
  return lines.join('\n    ')
}
