import * as z from "zod";
import { defineClusters, defineDynamic, defineKind } from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";

/** What the mistakes are made on. */
export class Gadget extends defineKind({
  group: "mistakes.example.org",
  version: "v1",
  kind: "Gadget",
  scope: "Namespaced",
  fields: {
    spec: z.object({
      size: z.number(),
      lock: z.string().optional(),
      parameters: z.record(z.string(), z.string()).optional(),
    }),
  },
  status: z.object({ state: z.enum(["Ready", "Error"]), note: z.string().optional() }),
  facts: (it) => ({ size: it.spec.size }),
  engineOwned: (it) => ({ lock: it.spec.lock }),
}) {}

/** Other clusters, a kind and a slot in them. */
export const plants = defineClusters("plant", { secret: { suffix: "-kubeconfig", key: "value" } });
export class PlantMap extends plants.kind(ConfigMap) {}
class Part extends defineDynamic("part") {}
export class PlantPart extends plants.kind(Part) {}
