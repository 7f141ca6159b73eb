import { randomUUID } from "node:crypto";
import type { KubeClient, ListOptions, Place, Resource } from "../../kube/client.ts";
import { KubeError } from "../../kube/errors.ts";
import type { KubeObject } from "../../kube/object.ts";
import { NO_VERSION } from "../../runner/fencing.ts";
import { nameOf, Overlay, type PatchStep, type Touched } from "./overlay.ts";

/** A client whose writes stay in this process. */
export interface DryRunClient {
  readonly client: KubeClient;
  readonly touched: () => readonly Touched[];
}

/**
 * A client for a run that must change nothing. Reads go to the server, under what was written so far. Writes go there as dry runs
 * (`dryRun=All`): its defaults, schemas, webhooks and refusals are real. What it cannot judge, since it does not know of the run's
 * earlier writes, is judged here: objects in a namespace that the run makes are taken as they were sent.
 */
export function dryRunClient(real: KubeClient, now: () => number): DryRunClient {
  const overlay = new Overlay(real);

  /** A write that the server calls stale rests on what has changed: so may everything before it. */
  const send = async (write: Promise<KubeObject>): Promise<KubeObject> => {
    try {
      return await write;
    } catch (thrown) {
      if (thrown instanceof KubeError && (thrown.kind === "stale" || thrown.kind === "gone"))
        overlay.forget();
      throw thrown;
    }
  };
  /** Writes of namespaces under way: what lies in one and is written beside it counts as later. */
  const namespacesUnderWay = new Map<string, Promise<KubeObject>>();
  const written = (resource: Resource, name: string, write: Promise<KubeObject>): Promise<KubeObject> => {
    if (resource.group === NAMESPACES.group && resource.kind === NAMESPACES.kind)
      namespacesUnderWay.set(name, write);
    return write;
  };
  /** The server answers that a namespace is not found where this run would have made it just before. */
  const lacksNamespace = async ({ namespace }: Place): Promise<boolean> => {
    if (namespace === undefined) return false;
    await Promise.allSettled([namespacesUnderWay.get(namespace)]);
    const own = overlay.find(NAMESPACES, { name: namespace });
    return own !== undefined && own.base === undefined && own.now !== undefined;
  };
  const apply: KubeClient["apply"] = async (resource, place, body, options) => {
    const touched = await overlay.touch(resource, place, options.signal);
    const isStatus = options.subresource === "status";
    if (touched.now === undefined && touched.base !== undefined) throw gone(touched);
    // It was taken for absent, and nothing of what this run has read changed.
    if (touched.now !== undefined && body.metadata.resourceVersion === NO_VERSION) throw isThere(touched);
    // The server knows nothing of what this run made.
    if (isStatus && touched.base === undefined && touched.now !== undefined)
      return overlay.appliedStatus(touched, { ...touched.now, status: body.status });
    // Nor does the server know the uid of what this run made.
    const { uid, ...metadata } = body.metadata;
    const translated = {
      ...body,
      metadata: {
        ...metadata,
        ...(touched.base !== undefined && uid !== undefined && { uid }),
        ...preconditionsOf(body, touched),
      },
    };
    const dry = { ...options, dryRun: true };
    const answer = (await lacksNamespace(place))
      ? asSent(touched, translated)
      : await send(real.apply(resource, place, translated, dry));
    return isStatus ? overlay.appliedStatus(touched, answer) : overlay.applied(touched, answer);
  };
  const create: KubeClient["create"] = async (resource, body, options) => {
    const touched = await overlay.touch(resource, body.metadata, options.signal);
    if (touched.base === undefined && touched.now !== undefined) throw exists(touched);
    const answer = (await lacksNamespace(touched.place))
      ? asSent(touched, body)
      : await send(real.create(resource, body, { ...options, dryRun: true }));
    return overlay.applied(touched, answer);
  };
  const client: KubeClient = {
    get: async (resource, place, options) => {
      const touched = overlay.find(resource, place);
      return touched === undefined ? real.get(resource, place, options) : touched.now;
    },
    list: async (resource, options = {}) => {
      const page = await real.list(resource, options);
      const isLast = page.metadata.continue === undefined || page.metadata.continue === "";
      return { ...page, items: laidOver(page.items, overlay, resource, options, isLast) };
    },
    pages: async function* (resource, options = {}) {
      const seen = new Set<string>();
      for await (const page of real.pages(resource, options)) {
        for (const { metadata } of page.items) seen.add(nameOf(resource, metadata));
        yield { ...page, items: laidOver(page.items, overlay, resource, options, false) };
      }
      const added = laidOver([], overlay, resource, options, true).filter(
        ({ metadata }) => !seen.has(nameOf(resource, metadata)),
      );
      if (added.length > 0) yield { items: added, metadata: { resourceVersion: "" } };
    },
    watch: (...args) => real.watch(...args),
    discover: (...args) => real.discover(...args),
    exec: (pod) => Promise.reject(refused("command", nameOf(PODS, pod))),
    raw: (method, path, options) => {
      if (method !== "GET") throw refused("raw", path);
      return real.raw(method, path, options);
    },
    apply: (resource, place, body, options) =>
      written(resource, place.name, apply(resource, place, body, options)),
    create: (resource, body, options) =>
      written(resource, body.metadata.name, create(resource, body, options)),
    patch: async (resource, place, type, body, options) => {
      const touched = await overlay.touch(resource, place, options.signal);
      if (type !== "json" || !Array.isArray(body)) throw refused(`${type} patch`, nameOf(resource, place));
      const steps = body as readonly PatchStep[];
      if (touched.now === undefined) throw gone(touched);
      demand(steps, touched);
      const answer =
        touched.now === touched.base
          ? await send(real.patch(resource, place, type, body, { ...options, dryRun: true }))
          : undefined;
      return overlay.patched(touched, steps, answer);
    },
    replace: async (resource, place, body, options) => {
      const touched = await overlay.touch(resource, place, options.signal);
      if (touched.now !== touched.base) throw refused("replace", nameOf(resource, place));
      return overlay.applied(
        touched,
        await send(real.replace(resource, place, body, { ...options, dryRun: true })),
      );
    },
    delete: async (resource, place, options) => {
      const touched = await overlay.touch(resource, place, options.signal);
      const { base, now: live } = touched;
      if (live === undefined || (options.uid !== undefined && live.metadata.uid !== options.uid))
        return undefined;
      if (base !== undefined) {
        const version = options.resourceVersion === live.metadata.resourceVersion ? base : undefined;
        const resourceVersion = version?.metadata.resourceVersion ?? options.resourceVersion;
        await real.delete(resource, place, {
          ...options,
          dryRun: true,
          ...(resourceVersion !== undefined && { resourceVersion }),
        });
      }
      const at = `${new Date(now()).toISOString().slice(0, 19)}Z`;
      return overlay.removed(touched, at, options.propagationPolicy === "Foreground");
    },
    get requests() {
      return real.requests;
    },
    // Whoever made the real one closes it.
    close: () => undefined,
  };
  return { client, touched: () => overlay.touched };
}

const PODS: Resource = { group: "", version: "v1", kind: "Pod", plural: "pods", scope: "Namespaced" };
const NAMESPACES: Resource = {
  group: "",
  version: "v1",
  kind: "Namespace",
  plural: "namespaces",
  scope: "Cluster",
};

/** A new object as far as it can be told without a server: without defaults and the verdict of its schema. */
const asSent = ({ place, now }: Touched, body: KubeObject): KubeObject => ({
  ...body,
  metadata: { ...body.metadata, ...place, ...(now === undefined && { uid: randomUUID() }) },
});

/** A precondition on what this run wrote is one on what the server has. */
function preconditionsOf(body: KubeObject, { base, now }: Touched): { readonly resourceVersion?: string } {
  const wanted = body.metadata.resourceVersion;
  if (wanted === undefined || now === undefined || wanted !== now.metadata.resourceVersion)
    return wanted === undefined ? {} : { resourceVersion: wanted };
  return { resourceVersion: base?.metadata.resourceVersion ?? NO_VERSION };
}

/** The tests of a patch, against what this run knows. */
function demand(steps: readonly PatchStep[], { now, resource, place }: Touched): void {
  for (const { op, path, value } of steps) {
    const field = /^\/metadata\/(uid|resourceVersion)$/.exec(path)?.[1] as
      | "uid"
      | "resourceVersion"
      | undefined;
    if (field === undefined || (op !== "test" && field !== "resourceVersion")) continue;
    if (now?.metadata[field] !== value)
      throw new KubeError("stale", `${nameOf(resource, place)} is not what was read.`, {
        request: "dry run",
      });
  }
}

function laidOver(
  items: readonly KubeObject[],
  overlay: Overlay,
  resource: Resource,
  options: ListOptions,
  isLast: boolean,
): readonly KubeObject[] {
  const mine = new Map(
    overlay.touched
      .filter(
        (touched) => touched.resource.group === resource.group && touched.resource.kind === resource.kind,
      )
      .map((touched) => [nameOf(resource, touched.place), touched]),
  );
  if (mine.size === 0) return items;
  const known = items.flatMap((item) => {
    const touched = mine.get(nameOf(resource, item.metadata));
    if (touched === undefined) return [item];
    return touched.now !== undefined && isSelected(touched.now, options) ? [touched.now] : [];
  });
  if (!isLast) return known;
  const there = new Set(items.map(({ metadata }) => nameOf(resource, metadata)));
  const added = [...mine].flatMap(([name, { now }]) =>
    now !== undefined && !there.has(name) && isSelected(now, options) ? [now] : [],
  );
  return [...known, ...added];
}

/** Selectors as runs use them: labels that equal or are absent, and the name. */
function isSelected({ metadata }: KubeObject, options: ListOptions): boolean {
  if (options.namespace !== undefined && metadata.namespace !== options.namespace) return false;
  const pairs = (selector: string | undefined): readonly (readonly string[])[] =>
    (selector ?? "")
      .split(",")
      .filter((pair) => pair !== "")
      .map((pair) => pair.split("="));
  return (
    pairs(options.labelSelector).every(([name = "", value]) =>
      name.startsWith("!")
        ? metadata.labels?.[name.slice(1)] === undefined
        : metadata.labels?.[name] === value,
    ) &&
    pairs(options.fieldSelector).every(
      ([field, value]) => field !== "metadata.name" || metadata.name === value,
    )
  );
}

const gone = ({ resource, place }: Touched): KubeError =>
  new KubeError("stale", `${nameOf(resource, place)} is deleted by this very run.`, { request: "dry run" });
const isThere = ({ resource, place }: Touched): KubeError =>
  new KubeError("stale", `${nameOf(resource, place)} is there.`, { request: "dry run" });
const exists = ({ resource, place }: Touched): KubeError =>
  new KubeError("exists", `${nameOf(resource, place)} is made by this very run.`, { request: "dry run" });
const refused = (what: string, where: string): KubeError =>
  new KubeError("invalid", `A dry run cannot tell what a ${what} of ${where} would do.`, {
    request: "dry run",
  });
