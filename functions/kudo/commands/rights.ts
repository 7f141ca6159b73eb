import { parseApiVersion } from "../../../shared/kube/object.ts";
import type { PackageFiles, PackageObjects } from "../decide/package/index.ts";
import { plannedObjects } from "../decide/package/index.ts";
import { FUNCTIONS } from "../decide/render/index.ts";

/** The kinds that a package's templates hold, with all defaults: `apps/v1 Deployment`. */
export function kindsOf({ operatorVersion }: PackageObjects, { operator }: PackageFiles): readonly string[] {
  const found = Object.keys(operator.plans).flatMap((plan) =>
    plannedObjects(
      {
        definition: operatorVersion,
        plan,
        instance: `${operator.name}-instance`,
        namespace: "default",
        parameters: {},
      },
      FUNCTIONS,
    ).objects.map(({ object }) => `${object.apiVersion} ${object.kind}`),
  );
  const pipes = operator.tasks.flatMap(({ kind, spec }) =>
    kind === "Pipe" ? ["v1 Pod", ...(spec?.pipe ?? []).map(({ kind: made = "" }) => `v1 ${made}`)] : [],
  );
  return [...new Set([...found, ...pipes])].sort();
}

/** The plural that the API server has for a kind, but for the few that are irregular. */
const pluralOf = (kind: string): string => {
  const lower = kind.toLowerCase();
  if (lower === "endpoints") return lower;
  if (/(s|x|ch|sh)$/.test(lower)) return `${lower}es`;
  return /[^aeiou]y$/.test(lower) ? `${lower.slice(0, -1)}ies` : `${lower}s`;
};

/** The role with which the objects of a package can be written. */
export function roleOf(name: string, kinds: readonly string[], runsPods: boolean): object {
  const groups = Map.groupBy(
    kinds.map((text) => {
      const [apiVersion = "", kind = ""] = text.split(" ");
      return { group: parseApiVersion(apiVersion).group, plural: pluralOf(kind) };
    }),
    ({ group }) => group,
  );
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: `kudo-package-${name}` },
    rules: [
      ...[...groups].map(([group, resources]) => ({
        apiGroups: [group],
        resources: resources.map(({ plural }) => plural),
        verbs: ["get", "list", "watch", "create", "patch", "delete"],
      })),
      // The files of a Pipe task are read out of its Pod.
      ...(runsPods ? [{ apiGroups: [""], resources: ["pods/exec"], verbs: ["create"] }] : []),
    ],
  };
}
