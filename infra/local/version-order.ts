/** Kubernetes' order of versions: `v2`, `v1`, `v1beta2`, `v1alpha1`, then the rest by name. */
export function compareVersions(a: string, b: string): number {
  const rank = (version: string): readonly [number, number, number] => {
    const found = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
    if (found === null) return [3, 0, 0];
    const stage = found[2] === undefined ? 0 : found[2] === "beta" ? 1 : 2;
    return [stage, -Number(found[1]), -Number(found[3] ?? 0)];
  };
  const [left, right] = [rank(a), rank(b)];
  const at = left.findIndex((part, index) => part !== right[index]);
  return at < 0 ? (a < b ? -1 : a > b ? 1 : 0) : (left[at] ?? 0) - (right[at] ?? 0);
}
