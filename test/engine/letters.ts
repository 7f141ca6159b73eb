import * as z from "zod";
import {
  apply,
  awaited,
  defineClusters,
  defineDynamic,
  defineKind,
  defineSystem,
  each,
  inOrder,
  unwatched,
} from "../../index.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";

export const plants = defineClusters("plant", { secret: { suffix: "-kubeconfig", key: "value" } });

/** A letter that is taken to another cluster, where somebody answers it. */
export class Letter extends defineKind({
  group: "letters.example.org",
  version: "v1",
  kind: "Letter",
  scope: "Namespaced",
  fields: { spec: z.object({ to: z.string(), text: z.string() }) },
  status: z.object({ phase: z.string().optional(), reason: z.string().optional() }),
}) {}
/** Stands for a letter in the cluster that it was sent to. */
export class Copy extends defineKind({
  group: "letters.example.org",
  version: "v1",
  kind: "Copy",
  scope: "Namespaced",
  fields: { spec: z.object({ text: z.string() }) },
  status: z.object({ read: z.boolean().optional() }),
}) {}
class PlantCopy extends plants.kind(Copy) {}
class PlantMap extends plants.kind(ConfigMap) {}

/** Shows how it stands with the cluster, and waits there for somebody to read the letter. */
const send = each(Letter, { status: ["phase", "reason"] }).function({
  name: "send",
  writes: [
    awaited(PlantCopy, "followed until somebody has read it"),
    unwatched(PlantMap, "written once for each letter"),
  ],
  observe: async ({ self, read }) => {
    const there = await read.cluster(plants, self.spec.to);
    const { namespace, name } = self.metadata;
    const copy =
      there.state === "reachable"
        ? await read.get(PlantCopy, { cluster: there.cluster, namespace, name })
        : undefined;
    return { there, copy };
  },
  reconcile: ({ self, there, copy }) => {
    if (there.state !== "reachable")
      return { status: { phase: there.state, reason: there.reason }, waitingFor: [there.wait] };
    const { namespace, name } = self.metadata;
    const at = { cluster: there.cluster, namespace, name };
    const isRead = copy?.status?.read === true && copy.spec.text === self.spec.text;
    return {
      effects: inOrder(
        apply(PlantMap, { metadata: at, data: { text: self.spec.text } }),
        apply(PlantCopy, { metadata: at, spec: { text: self.spec.text } }),
      ),
      status: { phase: isRead ? "read" : "sent" },
      ...(!isRead && {
        waitingFor: [
          {
            for: `${name} to be read`,
            object: {
              apiVersion: "letters.example.org/v1",
              kind: "Copy",
              namespace,
              name,
              cluster: plants.named(there.cluster),
            },
          },
        ],
      }),
    };
  },
});

class Parcel extends defineDynamic("parcel") {}
class PlantParcel extends plants.kind(Parcel) {}

/** Sends a kind that only data names, and waits for one of a kind that may be yet to come. */
const parcels = each(Letter, { status: ["phase", "reason"] }).function({
  name: "parcels",
  writes: [awaited(PlantParcel, "followed until it is there")],
  observe: async ({ self, read }) => {
    const { namespace, name } = self.metadata;
    const what = { apiVersion: "v1", kind: "Secret", cluster: self.spec.to };
    const answer = await read.object(PlantParcel, { ...what, namespace, name });
    const all = await read.objects(PlantParcel, {
      apiVersion: "v1",
      kind: "ConfigMap",
      cluster: self.spec.to,
      namespace,
    });
    return { answer, sent: all.map(({ metadata }) => metadata.name) };
  },
  reconcile: ({ self, answer, sent }) => {
    const { namespace, name } = self.metadata;
    return {
      effects: apply(PlantParcel, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { cluster: self.spec.to, namespace, name },
        data: { text: self.spec.text },
      }),
      again: !sent.includes(name),
      status: { phase: answer === undefined ? `sent ${sent.length}` : "answered" },
      ...(answer === undefined && {
        waitingFor: [
          {
            for: "an answer",
            object: {
              apiVersion: "v1",
              kind: "Secret",
              namespace,
              name,
              cluster: plants.named(self.spec.to),
            },
          },
        ],
      }),
    };
  },
});
export const sorted = defineSystem({
  name: "parcels",
  functions: [parcels],
  config: z.object({ kinds: z.array(z.string()).default(["configmaps", "secrets"]) }),
  admits: (config) => ({ "plant/parcel": config.kinds }),
});

/** Writes without asking first. */
const plain = each(Letter, { status: ["phase", "reason"] }).function({
  name: "plainly",
  writes: [unwatched(PlantMap, "written once for each letter")],
  reconcile: ({ self }) => ({
    effects: apply(PlantMap, {
      metadata: { cluster: self.spec.to, namespace: self.metadata.namespace, name: self.metadata.name },
      data: { text: self.spec.text },
    }),
    status: { phase: "sent" },
  }),
});

export const plainly = defineSystem({ name: "plainly", functions: [plain] });
export const letters = defineSystem({ name: "letters", functions: [send] });
