/** Labels as the server selects by them, in one order; undefined where there are none. */
export const labelSelectorOf = (labels: Readonly<Record<string, string>> = {}): string | undefined => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? undefined : pairs.sort().join(",");
};
