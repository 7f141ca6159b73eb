import { createHash } from "node:crypto";
import { prepareApply } from "../../kube/apply/prepare.ts";
import { takeOver } from "../../kube/apply/take-over.ts";
import { wouldChange } from "../../kube/apply/would-change.ts";
import type { KubeClient, WriteOptions } from "../../kube/client.ts";
import { KubeError } from "../../kube/errors.ts";
import { type AnyObject, type Kind, resourceOf } from "../../kube/kind.ts";
import type { KubeObject } from "../../kube/object.ts";
import { valueAt } from "../../kube/paths.ts";
import type { EffectPlan, ObjectPatch } from "../effects.ts";
import { subjectOf } from "../key.ts";
import { desiredObject, pathsOf, refuseForeignOwner } from "./desired.ts";
import { isStale, StaleError } from "./errors.ts";
import { rawOf } from "./reads.ts";
import type { Recorder } from "./recorder.ts";

/** What a write came to. `object` is the state after it; undefined where it is gone. */
export interface Written {
  readonly object: KubeObject | undefined;
  readonly changed: boolean;
}

export interface WriterParts {
  readonly client: KubeClient;
  readonly fieldManager: string;
  /** Field managers of an operator that this function succeeds. */
  readonly succeeds: readonly string[];
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
  /** What this run read, by subject. */
  readonly known: Map<string, KubeObject>;
  /** The latest that this host has seen of an object, perhaps outdated: a hint, never a ground. */
  readonly hint: (subject: string) => KubeObject | undefined;
  /** Told of each state that a write answered with. */
  readonly wrote: (subject: string, object: KubeObject) => void;
}

type PlanOf<E extends EffectPlan["effect"]> = Extract<EffectPlan, { effect: E }>;

/** Writes that are guarded by what was read, and not sent where they would change nothing (DESIGN §2.4, facts §3). */
export class Writer {
  readonly #parts: WriterParts;
  readonly #options: WriteOptions;
  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.#options = { fieldManager: parts.fieldManager, signal: parts.signal };
  }

  async apply(plan: PlanOf<"apply">): Promise<Written> {
    const { kind } = plan;
    const desired = prepareApply(desiredObject(kind, plan.body, plan.owner), { custom: isCustom(kind) });
    const subject = subjectOf(kind, desired.metadata);
    const hint = this.#parts.recorder.covers(subject) ? undefined : this.#parts.hint(subject);
    // A hint that differs spares a read, since the apply is fenced with its version. One that does not differ proves nothing.
    if (hint !== undefined && this.#differs(desired, hint)) {
      try {
        return await this.#applyOver(plan, desired, subject, hint);
      } catch (error) {
        if (!isStale(error)) throw error;
      }
    }
    return this.#applyOver(
      plan,
      desired,
      subject,
      this.#parts.known.get(subject) ?? (await this.#fresh(kind, desired, subject)),
    );
  }

  async #applyOver(
    plan: PlanOf<"apply">,
    desired: KubeObject,
    subject: string,
    live: KubeObject | undefined,
  ): Promise<Written> {
    const { kind, owner } = plan;
    if (live !== undefined) {
      if (owner !== undefined) refuseForeignOwner(kind, live, owner);
      if (!this.#differs(desired, live)) return this.#unchanged("apply", subject, live, pathsOf(desired));
    }
    const prior = live === undefined ? undefined : await this.#succeed(kind, live);
    const force = plan.force === true || prior !== live;
    const object = await this.#parts.client.apply(resourceOf(kind), desired.metadata, fence(desired, prior), {
      ...this.#options,
      force,
    });
    this.#sent("apply", subject, object, pathsOf(desired), true);
    return { object, changed: object.metadata.resourceVersion !== prior?.metadata.resourceVersion };
  }

  async create(plan: PlanOf<"create">): Promise<Written> {
    const { kind, owner } = plan;
    const desired = prepareApply(desiredObject(kind, plan.body, owner), { custom: isCustom(kind) });
    const subject = subjectOf(kind, desired.metadata);
    const live = this.#parts.known.get(subject) ?? (await this.#fresh(kind, desired, subject));
    if (live !== undefined) return this.#unchanged("create", subject, live, []);
    try {
      const object = await this.#parts.client.create(resourceOf(kind), desired, this.#options);
      this.#sent("create", subject, object, pathsOf(desired), true);
      return { object, changed: true };
    } catch (error) {
      if (!(error instanceof KubeError) || error.kind !== "exists") throw error;
      return this.#unchanged("create", subject, await this.#fresh(kind, desired, subject), []);
    }
  }

  async patch(plan: PlanOf<"patch">): Promise<Written> {
    const live = this.#readOf(plan.kind, plan.object);
    const subject = subjectOf(plan.kind, live.metadata);
    const operations = patchOperations(plan.kind, live, plan.change);
    if (operations.length === 0) return this.#unchanged("patch", subject, live, []);
    const tests = [
      { op: "test", path: "/metadata/uid", value: live.metadata.uid },
      { op: "test", path: "/metadata/resourceVersion", value: live.metadata.resourceVersion },
    ];
    const object = await this.#parts.client.patch(
      resourceOf(plan.kind),
      live.metadata,
      "json",
      [...tests, ...operations],
      this.#options,
    );
    this.#sent(
      "patch",
      subject,
      object,
      operations.map(({ path }) => path),
      true,
    );
    return { object, changed: true };
  }

  async remove(plan: PlanOf<"remove">): Promise<Written> {
    const { metadata } = plan.object;
    const subject = subjectOf(plan.kind, metadata);
    if (metadata.deletionTimestamp !== undefined)
      return this.#unchanged("remove", subject, rawOf(plan.object), []);
    const left = await this.#parts.client.delete(resourceOf(plan.kind), metadata, {
      uid: metadata.uid,
      ...(plan.unchanged && { resourceVersion: metadata.resourceVersion }),
      propagationPolicy: plan.foreground ? "Foreground" : "Background",
      signal: this.#parts.signal,
    });
    this.#remember(subject, left);
    // The deletion may rest on more than this object's version: its event is never an echo.
    this.#parts.recorder.wrote(
      {
        verb: "remove",
        subject,
        uid: metadata.uid,
        resourceVersion: left?.metadata.resourceVersion,
        paths: [],
        sent: true,
      },
      false,
    );
    return { object: undefined, changed: true };
  }

  /** A status by server-side apply, fenced with the version that it was decided on (facts §3: uid is ignored there). */
  async status(kind: Kind, of: AnyObject, status: unknown): Promise<Written> {
    const live = this.#readOf(kind, of);
    const subject = subjectOf(kind, live.metadata);
    refuseOlderGeneration(kind, live, status);
    const whole: KubeObject = { apiVersion: live.apiVersion, kind: live.kind, metadata: place(live), status };
    const desired = prepareApply(whole, { custom: isCustom(kind) });
    const paths = Object.keys((status ?? {}) as object).map((field) => `status.${field}`);
    if (
      !wouldChange(desired, live, {
        fieldManager: this.#parts.fieldManager,
        subresource: "status",
        custom: isCustom(kind),
      })
    )
      return this.#unchanged("status", subject, live, paths);
    const prior = await this.#succeed(kind, live);
    const fenced: KubeObject = {
      ...desired,
      metadata: { ...place(prior), resourceVersion: prior.metadata.resourceVersion },
    };
    const object = await this.#parts.client.apply(resourceOf(kind), prior.metadata, fenced, {
      ...this.#options,
      subresource: "status",
      force: prior !== live,
    });
    this.#sent("status", subject, object, paths, true);
    return { object, changed: object.metadata.resourceVersion !== live.metadata.resourceVersion };
  }

  /** Puts a finalizer on, or takes it off, by a patch that tests uid and version. */
  async finalizer(kind: Kind, of: AnyObject, name: string, present: boolean): Promise<Written> {
    const live = this.#readOf(kind, of);
    const subject = subjectOf(kind, live.metadata);
    const now = live.metadata.finalizers ?? [];
    if (now.includes(name) === present) return this.#unchanged("finalizer", subject, live, []);
    const next = present ? [...now, name] : now.filter((each) => each !== name);
    const operations = [
      { op: "test", path: "/metadata/uid", value: live.metadata.uid },
      { op: "test", path: "/metadata/resourceVersion", value: live.metadata.resourceVersion },
      next.length > 0
        ? { op: "add", path: "/metadata/finalizers", value: next }
        : { op: "remove", path: "/metadata/finalizers" },
    ];
    const object = await this.#parts.client.patch(
      resourceOf(kind),
      live.metadata,
      "json",
      operations,
      this.#options,
    );
    this.#sent("finalizer", subject, object, [`metadata.finalizers[${name}]`], true);
    return { object, changed: true };
  }

  /** A Kubernetes Event, named by what it says: twice is once. */
  async note(plan: PlanOf<"note">, now: string): Promise<Written> {
    const { about, type, reason, message } = plan;
    const namespace = about.metadata.namespace ?? "default";
    const digest = createHash("sha256")
      .update([about.metadata.uid, type, reason, message, plan.of].join("\n"))
      .digest("hex")
      .slice(0, 16);
    const name = `${about.metadata.name.slice(0, 200)}.${digest}`;
    const at = now.replace(/\.\d+Z$/, "Z");
    const event: KubeObject = {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name, namespace },
      involvedObject: {
        apiVersion: about.apiVersion,
        kind: about.kind,
        name: about.metadata.name,
        namespace: about.metadata.namespace,
        uid: about.metadata.uid,
        resourceVersion: about.metadata.resourceVersion,
      },
      type,
      reason,
      message: message.slice(0, 1024),
      source: { component: this.#parts.fieldManager },
      reportingComponent: this.#parts.fieldManager,
      reportingInstance: this.#parts.fieldManager,
      firstTimestamp: at,
      lastTimestamp: at,
      count: 1,
    };
    const subject = `/Event/${namespace}/${name}`;
    if (this.#parts.hint(subject) !== undefined) return { object: undefined, changed: false };
    try {
      const object = await this.#parts.client.create(
        { group: "", version: "v1", kind: "Event", plural: "events", scope: "Namespaced" },
        event,
        this.#options,
      );
      this.#sent("note", subject, object, [], false);
    } catch (error) {
      const known =
        error instanceof KubeError &&
        (error.kind === "exists" || error.kind === "terminating" || error.kind === "missing");
      if (!known) throw error;
    }
    this.#parts.wrote(subject, event);
    return { object: undefined, changed: false };
  }

  #differs = (desired: KubeObject, live: KubeObject): boolean =>
    wouldChange(desired, live, { fieldManager: this.#parts.fieldManager, custom: isCustomObject(desired) });

  async #fresh(kind: Kind, desired: KubeObject, subject: string): Promise<KubeObject | undefined> {
    // Where the decision already rests on its absence, or on a list that lacks it, reading again would hide a change.
    if (this.#parts.recorder.covers(subject) && !this.#parts.known.has(subject)) return undefined;
    return this.#parts.client.get(resourceOf(kind), desired.metadata, { signal: this.#parts.signal });
  }

  async #succeed(kind: Kind, live: KubeObject): Promise<KubeObject> {
    const { succeeds, client, fieldManager, signal } = this.#parts;
    if (
      !live.metadata.managedFields?.some(({ manager }) => manager !== undefined && succeeds.includes(manager))
    )
      return live;
    return takeOver({ client, resource: resourceOf(kind), live, fieldManager, from: succeeds, signal });
  }

  /** The newest state that this run knows of an object that it was handed. */
  #readOf(kind: Kind, object: AnyObject): KubeObject {
    const known = this.#parts.known.get(subjectOf(kind, object.metadata));
    if (known !== undefined && known.metadata.uid === object.metadata.uid) return known;
    const raw = rawOf(object);
    if (raw === undefined)
      throw new StaleError(`${kind.kind} ${object.metadata.name} was not read in this run.`);
    return raw;
  }

  #unchanged(
    verb: "apply" | "create" | "patch" | "remove" | "status" | "finalizer",
    subject: string,
    object: KubeObject | undefined,
    paths: readonly string[],
  ): Written {
    this.#parts.recorder.wrote(
      {
        verb,
        subject,
        uid: object?.metadata.uid,
        resourceVersion: object?.metadata.resourceVersion,
        paths,
        sent: false,
      },
      false,
    );
    this.#remember(subject, object);
    return { object, changed: false };
  }

  #sent(
    verb: "apply" | "create" | "patch" | "status" | "finalizer" | "note",
    subject: string,
    object: KubeObject,
    paths: readonly string[],
    echo: boolean,
  ): void {
    this.#parts.recorder.wrote(
      {
        verb,
        subject,
        uid: object.metadata.uid,
        resourceVersion: object.metadata.resourceVersion,
        paths,
        sent: true,
      },
      echo,
    );
    this.#remember(subject, object);
    this.#parts.wrote(subject, object);
  }

  #remember(subject: string, object: KubeObject | undefined): void {
    if (object === undefined) this.#parts.known.delete(subject);
    else this.#parts.known.set(subject, object);
  }
}

const isCustom = (kind: Pick<Kind, "group">): boolean =>
  kind.group.includes(".") && !kind.group.endsWith(".k8s.io");
const isCustomObject = ({ apiVersion }: KubeObject): boolean =>
  isCustom({ group: apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "" });

const place = ({ metadata: { name, namespace } }: KubeObject): { name: string; namespace?: string } => ({
  name,
  ...(namespace !== undefined && { namespace }),
});

/**
 * The apply succeeds only on the state that it rests on. For an object that is absent, a version that no object has: the server
 * ignores it where it creates, and answers 409 where somebody was faster (facts §3).
 */
const fence = (desired: KubeObject, live: KubeObject | undefined): KubeObject => ({
  ...desired,
  metadata: {
    ...desired.metadata,
    ...(live === undefined
      ? { resourceVersion: "1" }
      : { uid: live.metadata.uid, resourceVersion: live.metadata.resourceVersion }),
  },
});

function refuseOlderGeneration(kind: Kind, live: KubeObject, status: unknown): void {
  const observed = (of: unknown): number => {
    const value = (of as { observedGeneration?: unknown } | undefined)?.observedGeneration;
    return typeof value === "number" ? value : 0;
  };
  const next = (status as { observedGeneration?: unknown } | undefined)?.observedGeneration;
  if (typeof next === "number" && next < observed(live["status"]))
    throw new StaleError(
      `The status of ${kind.kind} ${live.metadata.name} already observed generation ${observed(live["status"])}; ${next} is older.`,
    );
}

interface Operation {
  readonly op: "add" | "remove";
  readonly path: string;
  readonly value?: unknown;
}
const pointer = (segments: readonly string[]): string =>
  segments.map((segment) => `/${segment.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** The RFC 6902 operations that bring about a change; none where it is already so. */
export function patchOperations(kind: Kind, live: KubeObject, change: ObjectPatch): Operation[] {
  const operations: Operation[] = [];
  for (const field of ["labels", "annotations"] as const) {
    const wanted = change[field];
    if (wanted === undefined) continue;
    const now = live.metadata[field];
    const entries = Object.entries(wanted).filter(([name, value]) => (now?.[name] ?? null) !== value);
    if (now === undefined && entries.some(([, value]) => value !== null))
      operations.push({ op: "add", path: `/metadata/${field}`, value: {} });
    for (const [name, value] of entries)
      operations.push(
        value === null
          ? { op: "remove", path: pointer(["metadata", field, name]) }
          : { op: "add", path: pointer(["metadata", field, name]), value },
      );
  }
  const { addOwner } = change;
  const owners = live.metadata.ownerReferences ?? [];
  if (addOwner !== undefined && !owners.some(({ uid }) => uid === addOwner.uid))
    operations.push({ op: "add", path: "/metadata/ownerReferences", value: [...owners, addOwner] });
  for (const [name, value] of Object.entries(change.engine ?? {})) {
    const path = kind.engineOwned[name];
    if (path === undefined) throw new TypeError(`${kind.id} declares no engine-owned path ${name}.`);
    const now = valueAt(live, path);
    if (value === null ? now === undefined : JSON.stringify(now) === JSON.stringify(value)) continue;
    operations.push(
      value === null ? { op: "remove", path: pointer(path) } : { op: "add", path: pointer(path), value },
    );
  }
  return operations;
}
