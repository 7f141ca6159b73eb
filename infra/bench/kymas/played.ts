import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { type Kernel, load } from "../../local/kernel.ts";
import { update } from "../../local/rest/update.ts";
import type { StoredEvent } from "../../local/store/store.ts";
import { type Applied, type Copied, type Counts, copied, ENGINE, versionOf } from "./words.ts";

const never = new Promise<void>(() => undefined);

/** Runtimes whose Deployments run at once, and who counts what Reveille asks of them. */
export class Played {
  readonly #counts = { writes: 0, reads: 0, probes: 0, watches: 0, watching: 0 };
  readonly #applied = new Map<string, Record<string, number>>();
  /** The objects of the model of copies, oldest first, by resource and key. */
  readonly #held = new Map<string, Pick<StoredEvent, "resource" | "key" | "text">>();
  #copies = new Map<string, Copied>();
  #hanging = new Set<string>();
  readonly #model: string;

  /** @param model the runtime that others may be copies of */
  constructor(model: string) {
    this.#model = model;
  }

  /** These runtimes hold what the model holds, from when they are first asked. */
  copy(copies: readonly Copied[]): void {
    this.#copies = new Map(copies.map((copy) => [copy.name, copy]));
  }

  /** These hang from now on, and no others. */
  hang(names: readonly string[]): void {
    this.#hanging = new Set(names);
  }

  counts(): Counts {
    return { ...this.#counts };
  }

  applied(version: string): Applied {
    return this.#applied.get(version) ?? {};
  }

  enter(
    name: string,
    { headers, method, url }: Http2ServerRequest,
    response: Http2ServerResponse,
  ): Promise<void> | undefined {
    if (headers.authorization === `Bearer ${ENGINE}`) this.#count(method, url, response);
    return this.#hanging.has(name) ? never : undefined;
  }

  made(name: string, kernel: Kernel): void {
    kernel.store.subscribe((event) => {
      if (name === this.#model) this.#hold(event);
      if (event.type === "DELETED") return;
      if (event.resource === "/configmaps") this.#note(name, event);
      // What a change leads to is no part of it.
      else if (event.resource === "apps/deployments") queueMicrotask(() => runs(kernel, event));
    });
    const copy = this.#copies.get(name);
    if (copy !== undefined) this.#fill(kernel, copy);
  }

  #hold({ type, resource, key, text }: StoredEvent): void {
    const place = `${resource} ${key}`;
    if (type === "DELETED") this.#held.delete(place);
    else this.#held.set(place, { resource, key, text });
  }

  /** Objects that every cluster has of itself stay its own. */
  #fill({ store }: Kernel, copy: Copied): void {
    for (const { resource, key, text } of this.#held.values()) {
      const place = copied(key, copy);
      if (store.get(resource, place) !== undefined) continue;
      const { metadata, ...rest } = JSON.parse(copied(text, copy)) as StoredEvent["object"];
      const { apiVersion, kind, ...fields } = rest;
      store.put(resource, place, (resourceVersion) =>
        JSON.stringify({ apiVersion, kind, metadata: { ...metadata, resourceVersion }, ...fields }),
      );
    }
  }

  #count(method: string, url: string, response: Http2ServerResponse): void {
    if (method !== "GET") this.#counts.writes++;
    else if (url.endsWith("/readyz")) this.#counts.probes++;
    else if (/[?&]watch=/.test(url)) {
      this.#counts.watches++;
      this.#counts.watching++;
      response.on("close", () => {
        this.#counts.watching--;
      });
    } else this.#counts.reads++;
  }

  #note(name: string, { object }: StoredEvent): void {
    const { version } = (object.data ?? {}) as { readonly version?: string };
    if (version === undefined) return;
    const key = versionOf(object.metadata.name, version);
    const times = this.#applied.get(key) ?? {};
    times[name] ??= Date.now();
    this.#applied.set(key, times);
  }
}

/** Says of a Deployment that all of its pods run. */
function runs(kernel: Kernel, { object }: StoredEvent): void {
  const type = kernel.registry.find("apps", "v1", "deployments");
  const { namespace, name, generation } = object.metadata;
  const live = type && load(kernel, type, namespace, name);
  const { observedGeneration } = (live?.status ?? {}) as { readonly observedGeneration?: number };
  if (type === undefined || live === undefined || observedGeneration === generation) return;
  const condition = (of: string, reason: string) => ({ type: of, status: "True", reason });
  const status = {
    observedGeneration: generation,
    replicas: 1,
    readyReplicas: 1,
    availableReplicas: 1,
    updatedReplicas: 1,
    conditions: [
      condition("Available", "MinimumReplicasAvailable"),
      condition("Progressing", "NewReplicaSetAvailable"),
    ],
  };
  update(
    kernel,
    {
      type,
      namespace,
      subresource: "status",
      fieldManager: "deployment-controller",
      fieldValidation: "Ignore",
      dryRun: false,
      user: { username: "system:serviceaccount:kube-system:deployment-controller", groups: [] },
      warnings: [],
    },
    live,
    { ...live, status },
  );
}
