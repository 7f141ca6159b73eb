import { parseApiVersion } from "../../../shared/kube/object.ts";
import { defaultInstanceName, type PackageFiles, type PackageObjects } from "../decide/package/index.ts";
import { successorOf } from "../decide/served/index.ts";
import { plannedObjects } from "../decide/tasks/index.ts";

/** The kinds that a package's templates hold, with all defaults: `apps/v1 Deployment`; beside them, in words, what cannot be told with these. */
export function kindsOf(
  { operatorVersion: version }: PackageObjects,
  { operator }: PackageFiles,
): { readonly kinds: readonly string[]; readonly faults: readonly string[] } {
  const instance = {
    metadata: { name: defaultInstanceName(operator.name), namespace: "default", uid: "" },
    spec: { operatorVersion: { name: version.metadata.name } },
  };
  const plans = Object.keys(operator.plans).map((plan) => plannedObjects({ version, plan, instance }));
  const found = plans.flatMap(({ objects }) =>
    objects.map(({ object }) => `${successorOf(object)?.apiVersion ?? object.apiVersion} ${object.kind}`),
  );
  const pipes = operator.tasks.flatMap(({ kind, spec }) =>
    kind === "Pipe" ? ["v1 Pod", ...(spec?.pipe ?? []).map(({ kind: made = "" }) => `v1 ${made}`)] : [],
  );
  return {
    kinds: [...new Set([...found, ...pipes])].sort(),
    faults: plans.flatMap(({ faults }) => faults),
  };
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
      // The files of a Pipe task are read out of its Pod: over a WebSocket, which is a GET.
      ...(runsPods ? [{ apiGroups: [""], resources: ["pods/exec"], verbs: ["create", "get"] }] : []),
    ],
  };
}
