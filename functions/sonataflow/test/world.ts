import { isDeepStrictEqual } from "node:util";
import type {
  AnyObject,
  Effect,
  EffectPlan,
  Effects,
  FunctionDeclaration,
  Results,
} from "../../../shared/function/index.ts";
import { ConfigMap, Deployment, Namespace, Service } from "../../../shared/kube/kinds/index.ts";
import { clusterPlatforms } from "../cluster-platforms.ts";
import { configuration } from "../configuration.ts";
import { ClusterPlatform, Platform, Workflow } from "../kinds/index.ts";
import { platforms } from "../platforms.ts";
import { workflows } from "../workflows.ts";

const KINDS = { ClusterPlatform, ConfigMap, Deployment, Namespace, Platform, Service, Workflow };
export type AnyKind = (typeof KINDS)[keyof typeof KINDS];
type Tree = Record<string, unknown>;
interface Stored extends Tree {
  apiVersion: string;
  kind: string;
  metadata: Tree & {
    name: string;
    namespace?: string | undefined;
    uid: string;
    resourceVersion: string;
    ownerReferences: Tree[];
  };
}

const json = <T>(value: T): T => JSON.parse(JSON.stringify(value ?? null)) as T;

/** A cluster in memory for tests of decisions alone: no wakes, every key is run until nothing changes any more. */
export class World {
  readonly #objects = new Map<string, Stored>();
  /** What functions last applied: fields that others set stay. */
  readonly #applied = new Map<string, Tree>();
  readonly notes: {
    readonly namespace: string;
    readonly about: string;
    readonly type: string;
    readonly reason: string;
    readonly message: string;
  }[] = [];
  readonly config: ReturnType<typeof configuration.parse>;
  now = "2026-01-01T00:00:00.000Z";
  /** Writes that changed something. */
  writes = 0;
  #version = 0;

  constructor(config: Parameters<typeof configuration.parse>[0] = {}) {
    this.config = configuration.parse(config);
  }

  #keyOf(kind: AnyKind, at: { readonly name: string; readonly namespace?: string | undefined }): string {
    return `${kind.kind}/${kind.scope === "Cluster" ? "" : (at.namespace ?? "")}/${at.name}`;
  }

  #store(key: string, object: Stored): void {
    const before = this.#objects.get(key);
    const bare = (it: Stored | undefined) =>
      it && { ...it, metadata: { ...it.metadata, resourceVersion: "" } };
    if (isDeepStrictEqual(json(bare(before)), json(bare(object)))) return;
    this.writes += 1;
    this.#version += 1;
    this.#objects.set(key, {
      ...object,
      metadata: { ...object.metadata, resourceVersion: String(this.#version) },
    });
  }

  /** As a user would: creates, or changes what is given at the top level. */
  put(
    kind: AnyKind,
    metadata: { name: string; namespace?: string | undefined; [field: string]: unknown },
    fields: Tree = {},
  ): void {
    const key = this.#keyOf(kind, metadata);
    const before = this.#objects.get(key);
    this.#version += 1;
    const changed = !isDeepStrictEqual(before?.spec, fields.spec);
    this.#store(key, {
      apiVersion: kind.group === "" ? kind.version : `${kind.group}/${kind.version}`,
      kind: kind.kind,
      ...(before?.status !== undefined && { status: before.status }),
      ...json(fields),
      metadata: {
        uid: `uid-${this.#version}`,
        creationTimestamp: `2026-01-01T00:00:${String(this.#version).padStart(2, "0")}Z`,
        ownerReferences: [],
        ...before?.metadata,
        generation: before === undefined ? 1 : Number(before.metadata.generation) + (changed ? 1 : 0),
        ...metadata,
        resourceVersion: "",
      },
    });
  }

  delete(kind: AnyKind, at: { readonly name: string; readonly namespace?: string | undefined }): void {
    const key = this.#keyOf(kind, at);
    const gone = this.#objects.get(key);
    this.#objects.delete(key);
    if (gone !== undefined)
      for (const [child, object] of this.#objects)
        if (object.metadata.ownerReferences.some(({ uid }) => uid === gone.metadata.uid))
          this.#objects.delete(child);
  }

  get<K extends AnyKind>(
    kind: K,
    at: { readonly name: string; readonly namespace?: string | undefined },
  ): K["prototype"] | undefined {
    const raw = this.#objects.get(this.#keyOf(kind, at));
    return raw === undefined ? undefined : parsed(kind, raw);
  }

  list<K extends AnyKind>(
    kind: K,
    where: { readonly namespace?: string | undefined; readonly name?: string } = {},
  ): K["prototype"][] {
    return [...this.#objects.values()]
      .filter((raw) => raw.kind === kind.kind)
      .filter(({ metadata }) => where.namespace === undefined || metadata.namespace === where.namespace)
      .filter(({ metadata }) => where.name === undefined || metadata.name === where.name)
      .map((raw) => parsed(kind, raw));
  }

  /** Everything, as text: to compare. */
  snapshot(kind?: AnyKind): string {
    const all = [...this.#objects.entries()].filter(
      ([key]) => kind === undefined || key.startsWith(`${kind.kind}/`),
    );
    return JSON.stringify(
      all.sort(([one], [other]) => (one < other ? -1 : 1)),
      null,
      1,
    );
  }

  /** Says of every Deployment that it is available, as its controller would. */
  available(): void {
    for (const [key, object] of this.#objects)
      if (object.kind === "Deployment")
        this.#store(key, { ...object, status: { conditions: [{ type: "Available", status: "True" }] } });
  }

  /** Runs every key, in the order that `shuffle` gives, until a whole round changes nothing. */
  async settle(shuffle: <T>(keys: T[]) => T[] = (keys) => keys): Promise<void> {
    for (let round = 0; round < 50; round += 1) {
      const before = this.#version;
      for (const run of shuffle(this.#runs())) await run();
      if (this.#version === before) return;
    }
    throw new Error("It never settles.");
  }

  #runs(): (() => Promise<void>)[] {
    const namespaces = [...new Set(this.list(Platform).map(({ metadata }) => metadata.namespace))];
    return [
      () => this.run(clusterPlatforms, () => ({ members: this.list(ClusterPlatform), group: "*" })),
      ...namespaces.map(
        (group) => () =>
          this.run(platforms, () => ({ members: this.list(Platform, { namespace: group }), group })),
      ),
      ...this.list(Workflow).map(
        ({ metadata }) =>
          () =>
            this.run(workflows, () => {
              const self = this.get(Workflow, metadata);
              return self && { self };
            }),
      ),
    ];
  }

  async run(declaration: FunctionDeclaration, subjectOf: () => object | undefined): Promise<void> {
    for (let pass = 0; pass < 10; pass += 1) {
      const subject = subjectOf();
      if (subject === undefined) return;
      const read = {
        get: async (kind: AnyKind, at: { readonly name: string; readonly namespace?: string | undefined }) =>
          this.get(kind, at),
        list: async (
          kind: AnyKind,
          where?: { readonly namespace?: string | undefined; readonly name?: string },
        ) => this.list(kind, where),
      };
      const world = await declaration.observe?.({ ...subject, read, config: this.config } as never);
      const context = { now: this.now, config: this.config, uid: (purpose: string) => purpose };
      const outcome = declaration.reconcile({ ...subject, ...(world as object) } as never, context as never);
      const concluded = outcome.conclude?.(this.#perform(outcome.effects));
      if (concluded === undefined) this.#perform(outcome.effects);
      else this.#perform(concluded.record);
      const ending = concluded ?? outcome;
      const statuses =
        declaration.key.by === "object"
          ? [{ of: (subject as { self: AnyObject }).self, status: ending.status }]
          : ((ending.status ?? []) as { of: AnyObject; status: unknown }[]);
      for (const { of, status } of statuses) this.#status(declaration.key.kind as AnyKind, of, status);
      if (ending.again !== true) return;
    }
  }

  #status(kind: AnyKind, of: AnyObject, status: unknown): void {
    if (status === undefined) return;
    kind.status?.parse(status);
    const key = this.#keyOf(kind, of.metadata);
    const before = this.#objects.get(key);
    if (before !== undefined) this.#store(key, { ...before, status: json(status) });
  }

  #perform(work: Effects | undefined): Results {
    const failed: { effect: Effect; error: { code: string; message: string; retryable: boolean } }[] = [];
    const walk = (one: Effects): boolean => {
      if (Array.isArray(one)) return one.map(walk).every((ok) => ok);
      if ("inOrder" in one) return one.inOrder.every(walk);
      const effect = one as Effect;
      const problem = this.#one(effect.plan);
      if (problem !== undefined)
        failed.push({ effect, error: { code: "OWNED_BY_ANOTHER", message: problem, retryable: false } });
      return problem === undefined;
    };
    if (work !== undefined) walk(work);
    const leaves = (one: Effects): Effect[] =>
      Array.isArray(one)
        ? one.flatMap(leaves)
        : "inOrder" in one
          ? one.inOrder.flatMap(leaves)
          : [one as Effect];
    const within = (part: Effects) => {
      const mine = failed.filter(({ effect }) => leaves(part).includes(effect));
      return { ok: mine.length === 0, failed: mine };
    };
    return Object.assign((() => ({ state: "not run" })) as unknown as Results, {
      ok: failed.length === 0,
      failed,
      within,
    });
  }

  /** What went wrong, if something did. */
  #one(plan: EffectPlan): string | undefined {
    if (plan.effect === "note") {
      const said = {
        namespace: plan.about.metadata.namespace ?? "",
        about: `${plan.about.kind}/${plan.about.metadata.name}`,
        type: plan.type,
        reason: plan.reason,
        message: plan.message,
      };
      if (!this.notes.some((other) => isDeepStrictEqual(other, said))) this.notes.push(said);
      return undefined;
    }
    if (plan.effect === "remove") {
      const live = this.get(plan.kind as AnyKind, plan.object.metadata);
      if (live?.metadata.uid === plan.object.metadata.uid) {
        this.#version += 1;
        this.delete(plan.kind as AnyKind, live.metadata);
      }
      return undefined;
    }
    if (plan.effect !== "apply" && plan.effect !== "create")
      throw new Error(`${plan.effect} is not expected here.`);
    const { owner } = plan;
    const kind = plan.kind as AnyKind;
    const { metadata, ...written } = plan.body;
    const fields: Tree = { ...written };
    const namespace = metadata.namespace ?? owner?.metadata.namespace;
    const key = this.#keyOf(kind, { name: metadata.name, namespace });
    const before = this.#objects.get(key);
    if (plan.effect === "create" && before !== undefined) return undefined;
    if (
      before !== undefined &&
      owner !== undefined &&
      before.metadata.ownerReferences.some(({ uid }) => uid !== owner.metadata.uid)
    )
      return `${kind.kind} ${namespace}/${metadata.name} belongs to another.`;
    if (before === undefined) this.#version += 1;
    const applied = this.#applied.get(key) ?? {};
    this.#applied.set(key, { ...fields });
    const spec = {
      ...fieldsOfOthers(before?.spec, applied.spec),
      ...(fields.spec as Tree | undefined),
    };
    if (fields.spec !== undefined) Object.assign(fields, { spec });
    this.#store(key, {
      apiVersion: kind.group === "" ? kind.version : `${kind.group}/${kind.version}`,
      kind: kind.kind,
      ...(before?.status !== undefined && { status: before.status }),
      ...json(fields),
      metadata: {
        uid: before?.metadata.uid ?? `uid-${this.#version}`,
        creationTimestamp: before?.metadata.creationTimestamp ?? this.now,
        generation: generationAfter(before, fields),
        ...json(metadata),
        ...(namespace !== undefined && { namespace }),
        ownerReferences:
          owner === undefined
            ? []
            : [{ uid: owner.metadata.uid, kind: owner.kind, name: owner.metadata.name, controller: true }],
        resourceVersion: before?.metadata.resourceVersion ?? "",
      },
    });
    return undefined;
  }
}

const fieldsOfOthers = (live: unknown, applied: unknown): Tree =>
  Object.fromEntries(
    Object.entries((live ?? {}) as Tree).filter(([name]) => !((applied ?? {}) as Tree)[name]),
  );

const generationAfter = (before: Stored | undefined, fields: Tree): number => {
  const generation = Number(before?.metadata.generation ?? 0);
  return before !== undefined && isDeepStrictEqual(json(before.spec ?? null), json(fields.spec ?? null))
    ? generation
    : generation + 1;
};

function parsed<K extends AnyKind>(kind: K, raw: Stored): K["prototype"] {
  const { apiVersion, kind: _kind, metadata, status, ...fields } = json(raw);
  return {
    apiVersion,
    kind: raw.kind,
    metadata: { labels: {}, annotations: {}, finalizers: [], ...metadata },
    ...kind.fields.parse(fields),
    ...(status !== undefined && { status }),
  } as unknown as K["prototype"];
}
