import type { Obj } from "../../../../shared/function/index.ts";
import { textOf } from "../../../../shared/json/fields.ts";
import { apiVersionOf, type KubeObject } from "../../../../shared/kube/object.ts";
import type { ApplicableObject, Scope } from "../../../../shared/manifests/objects.ts";
import type { Manifest } from "../../kinds/index.ts";
import type { LayerSource } from "../../ports/components/index.ts";
import { imagesByName, localized } from "./images.ts";
import { entryOf, keyOf } from "./inventory.ts";
import { marked } from "./marks.ts";
import { isAt, namedOf } from "./named.ts";
import { kindOf } from "./objects.ts";
import { withPullSecret } from "./pull-secret.ts";
import { isWorkload } from "./workloads.ts";
import type { Artifact, ManifestSettings, Named } from "./world.ts";

type Self = Obj<typeof Manifest>;

/** The place of a Manifest's artifact, or in words why it names none. */
export function layerSource({ spec }: Pick<Self, "spec">): LayerSource | string {
  const { type, repo, name, ref, repository } = spec?.install.source ?? {};
  if (type !== "oci-ref" && type !== "oci-dir")
    return `spec.install.source.type is ${JSON.stringify(type)}: oci-ref and oci-dir are read`;
  if (textOf(name) === "" || textOf(ref) === "")
    return "spec.install.source names no artifact: it has name and ref";
  const elsewhere = textOf(repository) === "" ? {} : { repository: textOf(repository) };
  return { type, repo: textOf(repo), name: textOf(name), ref: textOf(ref), ...elsewhere };
}

/** The objects of an artifact as they are applied. `scopeOf`: undefined for a kind that nobody knows yet. */
export function artifactOf(
  self: Self,
  objects: readonly KubeObject[],
  scopeOf: (object: KubeObject) => Scope,
  { imagePullSecret }: ManifestSettings,
): Artifact {
  const images = imagesByName(self.spec?.localizedImages);
  const applicable: ApplicableObject[] = [];
  const unplaced: KubeObject[] = [];
  const placed = objects.flatMap((object) => {
    const scope = scopeOf(object);
    if (scope === undefined) unplaced.push(object);
    return scope === undefined ? [] : [localized(marked(object, scope, self), images)];
  });
  const operator = operatorAt(self, placed);
  const known = new Set<string>();
  for (const object of placed) {
    // The same object in another version of its group, or with the namespace that it gets anyway: the first counts.
    const key = keyOf(entryOf(object));
    if (known.has(key)) continue;
    known.add(key);
    const isManager = operator !== undefined && isAt(namedOf(object), operator);
    const changed = withPullSecret(object, imagePullSecret, isManager);
    if (typeof changed === "string") return { state: "faulty", message: changed };
    applicable.push(changed);
  }
  return { state: "known", objects: applicable, unplaced };
}

/** The object by whose health a module is judged; undefined where it has none. What its name leaves open, the artifact's object says. */
export function operatorAt(
  { spec }: Pick<Self, "spec">,
  objects: readonly ApplicableObject[],
): Named | undefined {
  if (spec?.manager === undefined) {
    const first = objects.find(isWorkload);
    return first && namedOf(first);
  }
  const { group, version, kind, name, namespace } = spec.manager;
  const brought = objects.find(
    (object) => object.kind === kind && kindOf(object).group === group && object.metadata.name === name,
  );
  const place = namespace || brought?.metadata.namespace;
  return {
    // The version that is brought is served; the one that is named need not be.
    apiVersion: brought?.apiVersion ?? apiVersionOf({ group, version }),
    kind,
    name,
    ...(place !== undefined && { namespace: place }),
  };
}
