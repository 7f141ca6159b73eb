import type { FunctionDeclaration } from "../../shared/function/declaration.ts";
import { type Fields, isRecord } from "../../shared/json/fields.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { crdOf } from "../../shared/kube/crd.ts";
import { KubeError } from "../../shared/kube/errors.ts";
import type { Kind } from "../../shared/kube/kind.ts";
import { ownKindsOf } from "./declared.ts";

/** A CRD in the cluster that lacks fields which functions write. */
export interface OlderCrd {
  /** Its name. */
  readonly crd: string;
  /** The fields, uppermost ones only: `status.plans{}.uid`. */
  readonly fields: readonly string[];
}

/**
 * The CRDs in the cluster that lack a field of a status, or one of a spec that functions may write. Asks for the schemas that
 * everybody may read, so that it needs no right of its own. A kind that the server does not have is left out. Throws a `KubeError`.
 */
export async function olderCrds(
  client: Pick<KubeClient, "raw">,
  functions: readonly FunctionDeclaration[],
): Promise<readonly OlderCrd[]> {
  const schemas = new Map<string, Promise<readonly unknown[]>>();
  const found = await Promise.all(
    ownKindsOf(functions).map(async (kind) => {
      const path = `/openapi/v3/apis/${kind.group}/${kind.version}`;
      const asked = schemas.get(path) ?? schemasAt(client, path);
      schemas.set(path, asked);
      const served = (await asked).find((schema) => isOf(schema, kind));
      const fields = served === undefined ? [] : writtenFieldsLacking(served, kind);
      return fields.length === 0 ? [] : [{ crd: `${kind.plural}.${kind.group}`, fields }];
    }),
  );
  return found.flat();
}

/** The schemas of a group and version; none where the server does not have it. */
async function schemasAt(client: Pick<KubeClient, "raw">, path: string): Promise<readonly unknown[]> {
  try {
    const { components } = (await client.raw("GET", path)) as {
      readonly components?: { readonly schemas?: Fields };
    };
    return Object.values(components?.schemas ?? {});
  } catch (thrown) {
    // This path answers a group that it does not know with a bare 404.
    if (thrown instanceof KubeError && (thrown.kind === "kindMissing" || thrown.status?.code === 404))
      return [];
    throw thrown;
  }
}

function isOf(schema: unknown, { group, version, kind }: Kind): boolean {
  const named = isRecord(schema) ? schema["x-kubernetes-group-version-kind"] : undefined;
  return (
    Array.isArray(named) &&
    named.some((one) => isRecord(one) && one.group === group && one.version === version && one.kind === kind)
  );
}

function writtenFieldsLacking(served: unknown, kind: Kind): readonly string[] {
  const [version] = crdOf(kind).spec.versions;
  const written = ["status", ...Object.values(kind.engineOwned).map((path) => path.join("."))];
  return lacking(served, version.schema.openAPIV3Schema, "").filter((field) =>
    written.some((path) => field === path || field.startsWith(`${path}.`)),
  );
}

/** The paths of fields that `wanted` declares and the server would not keep. */
function lacking(served: unknown, wanted: unknown, path: string): readonly string[] {
  if (!isRecord(wanted)) return [];
  if (!isRecord(served)) return [path];
  const { properties, items, additionalProperties: others } = served;
  const keepsAll =
    served["x-kubernetes-preserve-unknown-fields"] === true ||
    others === true ||
    "$ref" in served ||
    "allOf" in served;
  const inside = (schema: unknown, inner: unknown, place: string): readonly string[] =>
    inner === undefined && keepsAll ? [] : lacking(inner, schema, place);
  const declared = isRecord(properties) ? properties : {};
  const fields = Object.entries(isRecord(wanted.properties) ? wanted.properties : {}).flatMap(
    ([name, schema]) =>
      inside(
        schema,
        declared[name] ?? (isRecord(others) ? others : undefined),
        path === "" ? name : `${path}.${name}`,
      ),
  );
  return [
    ...fields,
    ...inside(wanted.items, items, `${path}[]`),
    ...inside(wanted.additionalProperties, isRecord(others) ? others : undefined, `${path}{}`),
  ];
}
