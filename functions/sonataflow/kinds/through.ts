/** A path through a map: every name leads to one, which TypeScript cannot know. */
export function through<P>(path: P | undefined): P {
  if (path === undefined) throw new TypeError("There is no path there.");
  return path;
}
