import { stringify } from "yaml";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { type Kind, resourceOf } from "../../../shared/kube/kind.ts";
import {
  CronJob,
  DaemonSet,
  Deployment,
  Event,
  Job,
  PersistentVolumeClaim,
  Pod,
  ReplicaSet,
  Service,
  StatefulSet,
} from "../../../shared/kube/kinds/index.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { Instance, Operator, OperatorVersion } from "../kinds/index.ts";
import { type At, asked, requireInstance } from "./read.ts";

/** The kinds of an operator's objects that are looked at: neither Secrets nor ConfigMaps, which hold what nobody should mail. */
const OWNED: readonly Kind[] = [
  ...[Deployment, StatefulSet, DaemonSet, ReplicaSet, Job, CronJob],
  ...[Pod, Service, PersistentVolumeClaim],
];

/** Names of parameters and variables whose values are passwords and the like. */
const SECRET = /pass|secret|token|credential|private|api.?key|_key$|^key$/i;
const HIDDEN = "(not shown)";

/** Hides the values that are secret by their name, at any depth. */
export function withoutSecrets(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, name));
  if (typeof value !== "object" || value === null)
    return SECRET.test(name) && typeof value === "string" && value !== "" ? HIDDEN : value;
  const fields = Object.entries(value).filter(([key]) => key !== "managedFields");
  const given = "name" in value && typeof value.name === "string" ? value.name : "";
  return Object.fromEntries(
    fields.map(([key, inner]) => {
      // What was last applied holds everything once more.
      if (key.endsWith("last-applied-configuration")) return [key, HIDDEN];
      const subject = ["value", "default"].includes(key) && given !== "" ? given : key;
      return [
        key,
        typeof inner === "string" && SECRET.test(subject) && key !== "name"
          ? HIDDEN
          : withoutSecrets(inner, subject),
      ];
    }),
  );
}

const yaml = (object: unknown): string =>
  stringify(withoutSecrets(object), { lineWidth: 0, aliasDuplicateObjects: false });

/** The files of a diagnosis by path: an Instance, its definition, and what belongs to it, without Secrets. */
export async function diagnosticFiles(client: KubeClient, at: At): Promise<ReadonlyMap<string, string>> {
  const instance = await requireInstance(client, at);
  const files = new Map<string, string>([[`instance_${at.name}.yaml`, yaml(instance)]]);
  const missing: string[] = [];
  const keep = async (path: string, ask: () => Promise<readonly KubeObject[]>): Promise<void> => {
    try {
      for (const object of await ask()) files.set(`${path}_${object.metadata.name}.yaml`, yaml(object));
    } catch (error) {
      // A right that is missing hides one kind, and is told; everything else is still worth having.
      if (!(error instanceof KubeError)) throw error;
      missing.push(`${path}: ${error.message}`);
    }
  };
  const one = async (kind: Kind, name: string): Promise<readonly KubeObject[]> => {
    const found = await asked(() => client.get(resourceOf(kind), { namespace: at.namespace, name }));
    return found === undefined ? [] : [found];
  };
  const versionName = instance.spec?.operatorVersion?.name ?? "";
  await keep("operatorversion", () => one(OperatorVersion, versionName));
  await keep("operator", () => one(Operator, instance.metadata.labels?.["kudo.dev/operator"] ?? ""));
  for (const kind of OWNED)
    await keep(kind.kind.toLowerCase(), async () => {
      const { items } = await client.list(resourceOf(kind), {
        namespace: at.namespace,
        labelSelector: `kudo.dev/instance=${at.name}`,
      });
      return items.map((item) => ({ ...item, kind: kind.kind }));
    });
  await keep("event", async () => {
    const { items } = await client.list(resourceOf(Event), {
      namespace: at.namespace,
      fieldSelector: `involvedObject.kind=${Instance.kind},involvedObject.name=${at.name}`,
    });
    return items;
  });
  if (missing.length > 0) files.set("missing.txt", `${missing.join("\n")}\n`);
  return files;
}
