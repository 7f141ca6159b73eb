/** One step along an edge. */
export interface Edge {
  readonly to: string;
}

/**
 * The shortest way from one node to another, as its steps; undefined where there is none. Of a node to itself: no step at all.
 * @param stepsFrom the edges that leave a node, in the order in which equally short ways are preferred
 */
export function shortestPath<E extends Edge>(
  from: string,
  to: string,
  stepsFrom: (node: string) => Iterable<E>,
): readonly E[] | undefined {
  let open: readonly (readonly E[])[] = [[]];
  const seen = new Set([from]);
  while (open.length > 0) {
    const next: (readonly E[])[] = [];
    for (const path of open) {
      const at = path.at(-1)?.to ?? from;
      if (at === to) return path;
      for (const step of stepsFrom(at)) {
        if (seen.has(step.to)) continue;
        seen.add(step.to);
        next.push([...path, step]);
      }
    }
    open = next;
  }
  return undefined;
}
