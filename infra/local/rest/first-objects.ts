import { randomUUID } from "node:crypto";
import { sameJson } from "../../../shared/json/same-json.ts";
import { firstObjects } from "../builtin/index.ts";
import { clone } from "../json.ts";
import { type Kernel, load, save, timestamp } from "../kernel.ts";
import type { ApiObject } from "../resource-type.ts";

/**
 * Makes what every cluster has and this one lacks. The objects stand as they are stored, so that a start need not make the
 * schemas of their kinds. A second start writes nothing, unless the server listens elsewhere.
 */
export function makeFirstObjects(kernel: Kernel, port: number): void {
  for (const wanted of firstObjects(port)) {
    const [group = "", version = ""] = wanted.apiVersion.includes("/")
      ? wanted.apiVersion.split("/")
      : ["", wanted.apiVersion];
    const type = kernel.registry.findKind(group, version, wanted.kind);
    if (type === undefined) continue;
    const live = load(kernel, type, wanted.metadata.namespace, wanted.metadata.name);
    if (live === undefined) {
      const metadata: ApiObject["metadata"] = {
        ...clone(wanted.metadata),
        uid: randomUUID(),
        creationTimestamp: timestamp(kernel.clock.now()),
      };
      save(kernel, type, { ...clone(wanted), metadata });
    } else if (wanted.kind === "Service" && !sameJson(live.spec, wanted.spec))
      save(kernel, type, { ...live, spec: clone(wanted.spec) });
  }
}
