import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../../../shared/clock/clock.ts";
import { CliError } from "../../../shared/function/command-errors.ts";
import type { KubeClient, Resource } from "../../../shared/kube/client.ts";
import { type CustomResourceDefinitionBody, crdOf } from "../../../shared/kube/crd.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { type Kind, resourceOf } from "../../../shared/kube/kind.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { type CrdDifference, schemaDifference } from "./schema-diff.ts";

export const crdResource: Resource = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
};

/** The effect of installing one CRD. */
export interface CrdPlan {
  readonly kind: Kind;
  readonly body: CustomResourceDefinitionBody;
  /** `trust`: the kind is served, and we may not read its CRD; whoever installed it answers for its fields. */
  readonly action: "create" | "change" | "keep" | "trust";
  /** The fields that `change` would change. */
  readonly difference: CrdDifference | undefined;
  /** Field managers that wrote the installed one. */
  readonly managers: readonly string[];
}

interface Version {
  readonly name: string;
  readonly schema?: { readonly openAPIV3Schema?: unknown };
  readonly [field: string]: unknown;
}
interface CrdSpec {
  readonly group: string;
  readonly names: Readonly<Record<string, unknown>>;
  readonly scope: string;
  readonly versions: readonly Version[];
}

/**
 * Compares the CRDs of some kinds with what the server has. Reads only. Throws a `CliError` where a kind is not served and
 * we may not see its CRD.
 */
export function planCrds(client: KubeClient, kinds: readonly Kind[]): Promise<readonly CrdPlan[]> {
  return Promise.all(
    kinds.map(async (kind) => {
      const body = crdOf(kind);
      try {
        return planOne(kind, body, await client.get(crdResource, { name: body.metadata.name }));
      } catch (thrown) {
        if (!(thrown instanceof KubeError && thrown.kind === "forbidden")) throw thrown;
        if (await isServed(client, kind))
          return { kind, body, action: "trust", difference: undefined, managers: [] };
        throw new CliError(
          "CLI_CRD_FORBIDDEN",
          `The cluster does not have the kind ${kind.kind} (${body.metadata.name}), and this user may neither see nor install CRDs: have an administrator run \`reveille crds | kubectl apply --server-side -f -\`.`,
          { cause: thrown },
        );
      }
    }),
  );
}

async function isServed(client: KubeClient, { group, version, plural }: Kind): Promise<boolean> {
  try {
    return (await client.discover(group, version)).some((resource) => resource.plural === plural);
  } catch (thrown) {
    if (thrown instanceof KubeError && (thrown.kind === "kindMissing" || thrown.kind === "missing"))
      return false;
    throw thrown;
  }
}

function planOne(kind: Kind, body: CustomResourceDefinitionBody, installed: KubeObject | undefined): CrdPlan {
  if (installed === undefined) return { kind, body, action: "create", difference: undefined, managers: [] };
  const spec = installed.spec as CrdSpec;
  const [wanted] = body.spec.versions;
  const version = spec.versions.find(({ name }) => name === wanted.name);
  const managers = [
    ...new Set((installed.metadata.managedFields ?? []).flatMap(({ manager }) => manager ?? [])),
  ];
  if (spec.scope !== body.spec.scope)
    throw new CliError(
      "CLI_CRD_CONFLICT",
      `The installed ${body.metadata.name} is ${spec.scope}, Reveille's is ${body.spec.scope}: another program's kind has the same name; remove it first.`,
    );
  if (
    version !== undefined &&
    includes(spec.names, body.spec.names) &&
    includes({ ...version, schema: undefined }, { ...wanted, schema: undefined }) &&
    isDeepStrictEqual(plain(version.schema), plain(wanted.schema))
  )
    return { kind, body, action: "keep", difference: undefined, managers };
  return {
    kind,
    body,
    action: "change",
    difference: schemaDifference(version?.schema?.openAPIV3Schema, wanted.schema.openAPIV3Schema),
    managers,
  };
}

const plain = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));
/** True where all wanted fields stand; those that the server filled in beside them do not count. */
const includes = (actual: object, wanted: object): boolean =>
  Object.entries(wanted).every(
    ([name, value]) =>
      value === undefined || isDeepStrictEqual(plain(Reflect.get(actual, name)), plain(value)),
  );

/** For so long a CRD may take until it is served. */
const ESTABLISHED_MILLISECONDS = 20_000;

/** True where the CRD has to be written. */
export const isChange = ({ action }: CrdPlan): boolean => action === "create" || action === "change";

/** Applies what differs, and waits until it is served. Throws a `KubeError` or a `CliError`. */
export async function applyCrds(client: KubeClient, plans: readonly CrdPlan[], clock: Clock): Promise<void> {
  await Promise.all(
    plans.filter(isChange).map(async ({ kind, body }) => {
      const place = { name: body.metadata.name };
      let current: KubeObject | undefined = await client.apply(
        crdResource,
        place,
        body as unknown as KubeObject,
        {
          fieldManager: "reveille",
          force: true,
        },
      );
      const isReady = async (): Promise<boolean> =>
        isEstablished(current) && (await takesRequests(client, kind));
      for (const end = clock.now() + ESTABLISHED_MILLISECONDS; !(await isReady()); ) {
        if (clock.now() > end)
          throw new CliError(
            "CLI_CRD_NOT_ESTABLISHED",
            `The server does not serve ${body.metadata.name}: ${refusalOf(current)}`,
          );
        await clock.sleep(25);
        current = await client.get(crdResource, place);
      }
    }),
  );
}

/** True once requests about a kind find it: a moment after it is established. */
async function takesRequests(client: KubeClient, kind: Kind): Promise<boolean> {
  try {
    await client.list(resourceOf(kind), { limit: 1 });
    return true;
  } catch (thrown) {
    if (!(thrown instanceof KubeError)) throw thrown;
    // Who may install a kind need not be let see its objects.
    if (thrown.kind === "forbidden") return true;
    if (!thrown.retryable) throw thrown;
    return false;
  }
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message?: string;
}
const conditionsOf = (crd: KubeObject | undefined): readonly Condition[] =>
  (crd?.status as { readonly conditions?: readonly Condition[] } | undefined)?.conditions ?? [];
const isEstablished = (crd: KubeObject | undefined): boolean =>
  conditionsOf(crd).some(({ type, status }) => type === "Established" && status === "True");
const refusalOf = (crd: KubeObject | undefined): string =>
  conditionsOf(crd)
    .filter(({ status }) => status === "False")
    .map(({ type, message }) => `${type}: ${message ?? ""}`)
    .join("; ") || "it gives no reason.";
