import { fieldOf, textOf } from "../../../../shared/json/fields.ts";
import { type KubeObject, parseApiVersion } from "../../../../shared/kube/object.ts";
import { Instance, type ObjectReference } from "../../kinds/index.ts";
import { type Definition, versionKey } from "../definition/index.ts";
import type { Prepared } from "./prepare.ts";

/** Reads the OperatorVersion that a reference of the Instance's namespace names. */
export type VersionOf = (reference: ObjectReference) => Promise<Definition | undefined>;

/** True for an Instance, which is a child whatever applied it. */
export const isInstance = ({ apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">): boolean =>
  kind === Instance.kind && parseApiVersion(apiVersion).group === Instance.group;

/** The versions of the Instances that a task makes, by `versionKey`: their defaults are values too. */
export async function readChildVersions(
  prepared: Prepared,
  namespace: string,
  versionOf: VersionOf,
): Promise<ReadonlyMap<string, Definition>> {
  const named = referencesIn(prepared).map((one) => [versionKey(one, namespace), one] as const);
  const read = await Promise.all(
    [...new Map(named)].map(async ([key, one]) => [key, await versionOf(one)] as const),
  );
  return new Map(read.flatMap(([key, version]) => (version === undefined ? [] : [[key, version]])));
}

function referencesIn(prepared: Prepared): readonly ObjectReference[] {
  if (prepared.do === "child") return [prepared.child.spec.operatorVersion ?? {}];
  if (prepared.do !== "apply") return [];
  return prepared.objects.filter(isInstance).map(({ spec }) => {
    const reference = fieldOf(spec, "operatorVersion");
    const namespace = textOf(fieldOf(reference, "namespace"));
    return { name: textOf(fieldOf(reference, "name")), ...(namespace !== "" && { namespace }) };
  });
}
