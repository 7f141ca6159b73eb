import {
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionStatus,
} from "../../../shared/kube/schema/crd-object.ts";
import { builtIn } from "./built-in.ts";
import { fillIn, objectIn, textAt } from "./reading.ts";

/** CRDs. What makes a kind of them (checks, conditions, the new resource type) is the core's. */
export const customResourceDefinition = builtIn({
  group: "apiextensions.k8s.io",
  kind: "CustomResourceDefinition",
  shortNames: ["crd", "crds"],
  categories: ["api-extensions"],
  cluster: true,
  description: "Declares a kind to the API server.",
  fields: { spec: CustomResourceDefinitionSpec, status: CustomResourceDefinitionStatus.optional() },
  status: true,
  generation: true,
  strategy: {
    default(object) {
      const spec = objectIn(object, "spec");
      fillIn(objectIn(spec, "conversion"), { strategy: "None" });
      const names = objectIn(spec, "names");
      const kind = textAt(names, "kind");
      if (kind !== "") fillIn(names, { singular: kind.toLowerCase(), listKind: `${kind}List` });
    },
  },
});
