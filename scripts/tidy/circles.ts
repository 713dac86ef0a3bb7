/** Refuses files, and rooms of `domain`, that import each other in a circle. Imports of types count too. */
import { importsOf } from '#scripts/tidy/floors.ts'
import type { Finding, Source } from '#scripts/tidy/source.ts'

interface Arrow {
  readonly to: string
  readonly report: (message: string) => Finding
}
type Graph = ReadonlyMap<string, readonly Arrow[]>

export function checkCircles(sources: readonly Source[]): Finding[] {
  const files = new Map(
    sources.filter(({ path }) => path.startsWith('src/')).map(one => [one.path, arrowsOf(one)]),
  )
  return [...reportCircles(files), ...reportCircles(roomsOf(files))]
}

function arrowsOf(source: Source): Arrow[] {
  return importsOf(source)
    .filter(({ specifier }) => specifier.startsWith('#'))
    .map(({ specifier, report }) => ({ to: `src/${specifier.slice(1)}`, report: report('circle') }))
}

/** The rooms of `domain`: its folders one level below, with the arrows of all their files. */
function roomsOf(files: Graph): Graph {
  const rooms = new Map<string, Arrow[]>()
  for (const [path, arrows] of files) {
    const room = roomOf(path)
    if (room === null) continue
    const outside = arrows.flatMap(({ to, report }) => {
      const other = roomOf(to)
      return other === null || other === room ? [] : [{ to: other, report }]
    })
    rooms.set(room, [...(rooms.get(room) ?? []), ...outside])
  }
  return rooms
}

function roomOf(path: string): string | null {
  return /^src\/domain\/[^/]+(?=\/)/.exec(path)?.[0] ?? null
}

/** One finding for each circle, at an import of its first file, with the shortest way back. */
function reportCircles(graph: Graph): Finding[] {
  return [...graph].flatMap(([from, arrows]) =>
    arrows.flatMap(({ to, report }) => {
      const way = wayBetween(graph, to, from)
      if (way === null || way.some(step => step < from)) return []
      return [report(`break the circle ${[from, ...way].join(' → ')}: give what both need a file of its own`)]
    }),
  )
}

function wayBetween(graph: Graph, from: string, goal: string): string[] | null {
  const cameFrom = new Map<string, string | null>([[from, null]])
  for (const at of cameFrom.keys()) {
    if (at === goal) {
      const way: string[] = []
      for (let step: string | null | undefined = at; step; step = cameFrom.get(step)) way.unshift(step)
      return way
    }
    for (const { to } of graph.get(at) ?? []) if (!cameFrom.has(to)) cameFrom.set(to, at)
  }
  return null
}
