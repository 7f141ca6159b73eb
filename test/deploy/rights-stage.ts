import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type StackCluster, startStackCluster } from "../../functions/sonataflow/test/stack-cluster.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { startTestApi, type TestApi } from "../../infra/testing/test-api.ts";
import { wrapClient } from "../../infra/testing/wrapped-client.ts";
import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { applyAll, tokenOf } from "./accounts.ts";
import { type Use, usesIn } from "./audit.ts";
import { render } from "./chart.ts";

export const NAMESPACE = "reveille";
/** The watchers' Lease lies beside the ConfigMap of pauses, in the namespace of the release. */
export const LEASE = { namespace: NAMESPACE, name: "reveille-watcher" };
const GRANTS = new Set(["ServiceAccount", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"]);

/** A rule of a role: one verb on one resource. */
export interface Granted {
  /** The kind and name of its role. */
  readonly role: KubeObject;
  readonly accounts: readonly string[];
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
  readonly names: readonly string[] | undefined;
}

/** A real API server with the chart's accounts and roles, and SonataFlow run by these accounts, each by its own token. */
export interface RightsStage {
  readonly api: TestApi;
  readonly cluster: StackCluster;
  readonly grants: readonly Granted[];
  clientOf(account: string): Promise<KubeClient>;
  /** Is done just before a function's next `create` is sent. */
  beforeCreate(act: () => Promise<void>): void;
  /** All requests of ServiceAccounts so far. */
  uses(): readonly Use[];
  /** Writes a role as the chart has it, without one verb of one resource where it is named. The API server goes by it afterwards. */
  writeRole(role: KubeObject, without?: Granted): Promise<void>;
  stop(): Promise<void>;
}

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}
const rulesOf = (role: KubeObject): readonly Rule[] => role.rules as readonly Rule[];
const at = ({ kind, metadata }: KubeObject): string =>
  `${kind.replace("Binding", "")} ${metadata.namespace ?? ""} ${metadata.name}`;

/** Every rule that the rendered objects grant. */
export function grantsIn(objects: readonly KubeObject[]): readonly Granted[] {
  return objects.flatMap((role) => {
    if (role.kind !== "Role" && role.kind !== "ClusterRole") return [];
    const bindings = objects.filter((one) => one.kind === `${role.kind}Binding` && at(one) === at(role));
    const accounts = bindings.flatMap(({ subjects }) =>
      (subjects as readonly { readonly name: string }[]).map(({ name }) => name),
    );
    return rulesOf(role).flatMap(({ apiGroups, resources, verbs, resourceNames: names }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) =>
          verbs.map((verb) => ({ role, accounts, group, resource, verb, names })),
        ),
      ),
    );
  });
}

/** Whether a request was made by this right. */
export const isUseOf =
  ({ accounts, group, resource, verb, names, role }: Granted) =>
  (use: Use): boolean =>
    use.allowed &&
    accounts.includes(use.account) &&
    use.group === group &&
    use.resource === resource &&
    use.verb === verb &&
    (role.metadata.namespace === undefined || role.metadata.namespace === use.namespace) &&
    (names === undefined || names.includes(use.name ?? ""));

const REVIEWS: Resource = {
  group: "authorization.k8s.io",
  version: "v1",
  kind: "SubjectAccessReview",
  plural: "subjectaccessreviews",
  scope: "Cluster",
};

/** True where the API server lets any of its accounts do what a rule grants. */
async function isAllowed(client: KubeClient, { accounts, role, ...granted }: Granted): Promise<boolean> {
  const [resource, subresource] = granted.resource.split("/");
  const [name] = granted.names ?? [];
  const resourceAttributes = {
    verb: granted.verb,
    group: granted.group,
    resource,
    ...(subresource !== undefined && { subresource }),
    ...(name !== undefined && { name }),
    ...(role.metadata.namespace !== undefined && { namespace: role.metadata.namespace }),
  };
  for (const account of accounts) {
    const user = `system:serviceaccount:${NAMESPACE}:${account}`;
    const review = {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      metadata: { name: "" },
      spec: { user, resourceAttributes },
    };
    const { status } = await client.create(REVIEWS, review, { fieldManager: "tester" });
    if ((status as { readonly allowed: boolean }).allowed) return true;
  }
  return false;
}

export async function startRightsStage(): Promise<RightsStage> {
  const folder = mkdtempSync(join(tmpdir(), "reveille-rights-"));
  const auditLog = join(folder, "audit.log");
  // On by default on OpenShift: it asks for the right to `finalizers`.
  const admissionPlugins = ["OwnerReferencesPermissionEnforcement"];
  const api = await startTestApi({ api: "real", auditLog, admissionPlugins });
  const objects = render({ "serve.enabled": false, systems: ["sonataflow"] }).filter(({ kind }) =>
    GRANTS.has(kind),
  );
  await applyAll(api.client, [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } },
    ...objects,
  ]);
  const clients = new Map<string, KubeClient>();
  const accounts = objects
    .filter(({ kind }) => kind === "ServiceAccount")
    .map(({ metadata }) => metadata.name);
  for (const account of accounts)
    clients.set(account, api.newClient(await tokenOf(api.client, NAMESPACE, account)));
  let acts: (() => Promise<void>)[] = [];
  /** The rule that each role is without now, by the role's kind and name. */
  const missing = new Map<string, Granted>();
  const known = (account: string): KubeClient => {
    const client = clients.get(account);
    if (client === undefined) throw new Error(`the chart makes no account ${account}`);
    return client;
  };
  const cluster = await startStackCluster("real", {
    on: api,
    engineClient: () => known("reveille-watcher"),
    engine: {
      clientOf: ({ name }) =>
        wrapClient(known(`reveille-${name}`), async ({ verb }, send) => {
          const due = verb === "create" ? acts : [];
          if (due.length > 0) acts = [];
          for (const act of due) await act();
          return send();
        }),
      home: NAMESPACE,
      lease: LEASE,
      identity: "first",
    },
  });
  return {
    api,
    cluster,
    grants: grantsIn(objects),
    clientOf: async (account) => api.newClient(await tokenOf(api.client, NAMESPACE, account)),
    beforeCreate: (act) => {
      acts.push(act);
    },
    uses: () => usesIn(auditLog),
    async writeRole(role, without) {
      const rules = rulesOf(role).flatMap((rule) => {
        const concerned =
          without !== undefined &&
          rule.apiGroups.includes(without.group) &&
          rule.resources.includes(without.resource) &&
          rule.resourceNames?.join() === without.names?.join();
        if (!concerned) return [rule];
        const others = rule.resources.filter((resource) => resource !== without.resource);
        const verbs = rule.verbs.filter((verb) => verb !== without.verb);
        return [
          ...(others.length > 0 ? [{ ...rule, resources: others }] : []),
          ...(verbs.length > 0 ? [{ ...rule, resources: [without.resource], verbs }] : []),
        ];
      });
      await applyAll(api.client, [{ ...role, rules }]);
      // The API server's authorizer follows with a little delay.
      const before = missing.get(at(role));
      if (before !== undefined)
        await eventually("the rule to hold again", () => isAllowed(api.client, before));
      missing.delete(at(role));
      if (without === undefined) return;
      missing.set(at(role), without);
      await eventually("the rule to hold no longer", async () => !(await isAllowed(api.client, without)));
    },
    stop: async () => {
      await cluster.stack.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
