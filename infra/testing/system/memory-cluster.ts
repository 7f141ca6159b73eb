import { isDeepStrictEqual } from "node:util";
import { toWholeSeconds } from "../../../shared/clock/time.ts";
import type { Effect, EffectPlan, Effects, Results } from "../../../shared/function/index.ts";
import type { AnyObject, Kind } from "../../../shared/kube/kind.ts";
import { apiVersionOf } from "../../../shared/kube/object.ts";

type Tree = Record<string, unknown>;
interface Place {
  readonly name: string;
  readonly namespace?: string | undefined;
}
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

/** A Kubernetes Event for people. */
interface Note {
  readonly namespace: string;
  readonly about: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

const json = <T>(value: T): T => JSON.parse(JSON.stringify(value ?? null)) as T;

/** Objects in memory, and the effects of functions on them: for tests of decisions alone, without a server's rules. */
export class MemoryCluster {
  readonly #objects = new Map<string, Stored>();
  /** The fields that functions last applied: those that others set stay. */
  readonly #applied = new Map<string, Tree>();
  readonly notes: Note[] = [];
  readonly #now: string;
  #version = 0;

  /** @param now when whatever functions make is made */
  constructor(now: string) {
    this.#now = now;
  }

  /** Moves with every change. */
  get version(): number {
    return this.#version;
  }

  #keyOf(kind: Kind, at: Place): string {
    return `${kind.kind}/${kind.scope === "Cluster" ? "" : (at.namespace ?? "")}/${at.name}`;
  }

  #store(key: string, object: Stored): void {
    const before = this.#objects.get(key);
    const bare = (it: Stored | undefined) =>
      it && { ...it, metadata: { ...it.metadata, resourceVersion: "" } };
    if (isDeepStrictEqual(json(bare(before)), json(bare(object)))) return;
    this.#version += 1;
    this.#objects.set(key, {
      ...object,
      metadata: { ...object.metadata, resourceVersion: String(this.#version) },
    });
  }

  /** Writes as a user would: creates, or changes the given fields at the top level. */
  put(
    kind: Kind,
    metadata: { name: string; namespace?: string | undefined; [field: string]: unknown },
    fields: Tree = {},
  ): void {
    const key = this.#keyOf(kind, metadata);
    const before = this.#objects.get(key);
    this.#version += 1;
    const changed = !isDeepStrictEqual(before?.spec, fields.spec);
    this.#store(key, {
      apiVersion: apiVersionOf(kind),
      kind: kind.kind,
      ...(before?.status !== undefined && { status: before.status }),
      ...json(fields),
      metadata: {
        uid: `uid-${this.#version}`,
        creationTimestamp: toWholeSeconds(
          new Date(Date.parse(this.#now) + this.#version * 1_000).toISOString(),
        ),
        ownerReferences: [],
        ...before?.metadata,
        generation: before === undefined ? 1 : Number(before.metadata.generation) + (changed ? 1 : 0),
        ...metadata,
        resourceVersion: "",
      },
    });
  }

  delete(kind: Kind, at: Place): void {
    const key = this.#keyOf(kind, at);
    const gone = this.#objects.get(key);
    this.#objects.delete(key);
    if (gone !== undefined)
      for (const [child, object] of this.#objects)
        if (object.metadata.ownerReferences.some(({ uid }) => uid === gone.metadata.uid))
          this.#objects.delete(child);
  }

  get<K extends Kind>(kind: K, at: Place): K["prototype"] | undefined {
    const raw = this.#objects.get(this.#keyOf(kind, at));
    return raw === undefined ? undefined : parsed(kind, raw);
  }

  list<K extends Kind>(
    kind: K,
    where: { readonly namespace?: string | undefined; readonly name?: string } = {},
  ): K["prototype"][] {
    return [...this.#objects.values()]
      .filter((raw) => raw.kind === kind.kind)
      .filter(({ metadata }) => where.namespace === undefined || metadata.namespace === where.namespace)
      .filter(({ metadata }) => where.name === undefined || metadata.name === where.name)
      .map((raw) => parsed(kind, raw));
  }

  /** Says of every Deployment that it is available, as its controller would. */
  available(): void {
    for (const [key, object] of this.#objects)
      if (object.kind === "Deployment")
        this.#store(key, { ...object, status: { conditions: [{ type: "Available", status: "True" }] } });
  }

  /** Writes a status as a function does. */
  writeStatus(kind: Kind, of: AnyObject, status: unknown): void {
    if (status === undefined) return;
    kind.status?.parse(status);
    const key = this.#keyOf(kind, of.metadata);
    const before = this.#objects.get(key);
    if (before !== undefined) this.#store(key, { ...before, status: json(status) });
  }

  /** Performs effects, those of a list one after the other too. */
  perform(work: Effects | undefined): Results {
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

  /** The error of an effect, if there was one. */
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
      const live = this.get(plan.kind, plan.object.metadata);
      if (live?.metadata.uid === plan.object.metadata.uid) {
        this.#version += 1;
        this.delete(plan.kind, live.metadata);
      }
      return undefined;
    }
    if (plan.effect !== "apply" && plan.effect !== "create")
      throw new Error(`${plan.effect} is not expected here.`);
    const { owner } = plan;
    const kind = plan.kind;
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
      apiVersion: apiVersionOf(kind),
      kind: kind.kind,
      ...(before?.status !== undefined && { status: before.status }),
      ...json(fields),
      metadata: {
        uid: before?.metadata.uid ?? `uid-${this.#version}`,
        creationTimestamp: before?.metadata.creationTimestamp ?? this.#now,
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

function parsed<K extends Kind>(kind: K, raw: Stored): K["prototype"] {
  const { apiVersion, kind: _kind, metadata, status, ...fields } = json(raw);
  return {
    apiVersion,
    kind: raw.kind,
    metadata: { labels: {}, annotations: {}, finalizers: [], ...metadata },
    ...kind.fields.parse(fields),
    ...(status !== undefined && { status }),
  } as unknown as K["prototype"];
}
