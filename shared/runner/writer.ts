import type { RecordedWrite } from "../bus/run-record.ts";
import type { EffectPlan } from "../function/effects.ts";
import type { Sending } from "../hints/own-writes.ts";
import { unsaid } from "../kube/apply/keeps.ts";
import { prepareApply } from "../kube/apply/prepare.ts";
import { appliersAmong, hasPredecessor, type TakeOver, takeOver } from "../kube/apply/take-over.ts";
import { type WouldChangeOptions, wouldChange } from "../kube/apply/would-change.ts";
import type { KubeClient, Resource, WriteOptions } from "../kube/client.ts";
import { KubeError } from "../kube/errors.ts";
import { type AnyObject, type Kind, resourceOf } from "../kube/kind.ts";
import { type KubeObject, parseApiVersion } from "../kube/object.ts";
import { rawOf } from "../kube/read.ts";
import { subjectIn } from "../kube/subject.ts";
import { appliedObject, desiredObject, pathsOf, saidObject } from "./desired.ts";
import { FormerOwnerError, isStale, NameTakenError, StaleError } from "./errors.ts";
import {
  declared,
  fence,
  isCustom,
  orStale,
  place,
  preparing,
  refuseOlderGeneration,
  spelled,
} from "./fencing.ts";
import { removeFormers } from "./former-owner.ts";
import { isRefusal, kubernetesEvent } from "./kubernetes-event.ts";
import type { SeenAhead } from "./look-ahead.ts";
import { type Claim, isAdopted, refuseAnothers, refuseChange } from "./ownership.ts";
import { emptying, pastNulls } from "./past-nulls.ts";
import { patchOperations, testsOf } from "./patch-operations.ts";
import { replacement, saysTheSame } from "./replacement.ts";
import type { WriterParts, Written, WrittenElsewhere } from "./writer-parts.ts";

/** The number of tries of an apply over an object that somebody else keeps changing. */
const ATTEMPTS = 5;

/** An Event that is there already, or has no place any more. */
const NO_EVENT: ReadonlySet<string> = new Set(["exists", "terminating", "missing"]);

type PlanOf<E extends EffectPlan["effect"]> = Extract<EffectPlan, { effect: E }>;

/** Writes that are guarded by what was read, and not sent where they would change nothing. */
export class Writer {
  readonly #parts: WriterParts;
  readonly #options: WriteOptions;

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.#options = { fieldManager: parts.fieldManager, signal: parts.signal };
  }

  /**
   * @param adopts the rule by which objects of nobody's are taken over; absent: they are not
   * @param ahead what a list has just shown of the object, or a guess that it is absent; undefined: it is read
   */
  async apply(plan: PlanOf<"apply">, adopts?: string, ahead?: SeenAhead): Promise<Written> {
    const { kind } = plan;
    const desired = prepareApply(appliedObject(kind, plan), preparing(kind));
    const subject = this.#subject(kind, desired.metadata);
    const claim = { ...this.#claim(adopts, plan.owner), controls: plan.controller };
    const { recorder, hints } = this.#parts;
    const covered = recorder.covers(subject);
    const hint = covered ? undefined : hints?.get(subject);
    // A hint that differs spares a read, since the apply is fenced with its version. One that does not differ proves nothing.
    if (hint !== undefined && this.#differs(desired, hint)) {
      try {
        return await this.#applyOver(plan, desired, { subject, claim, live: hint });
      } catch (error) {
        // A hint may be of an object that is gone, or had another owner: only what is read now refuses.
        if (!isStale(error) && !(error instanceof NameTakenError)) throw error;
      }
    }
    const rests = ahead?.isGuess === true ? recorder.tellsAbsent(subject) : covered;
    const known = this.#parts.known.get(subject);
    let live = known ?? (ahead === undefined ? await this.#fresh(kind, desired, subject) : ahead.live);
    for (let attempt = 1; ; attempt++) {
      // The decision did not see what is written over where a list that selects lacked it: its event must wake.
      const echo = known !== undefined || live === undefined || !covered;
      try {
        return await this.#applyOver(plan, desired, { subject, claim, live, echo });
      } catch (error) {
        if (error instanceof FormerOwnerError && live !== undefined && attempt < ATTEMPTS) {
          this.#remember(subject, await removeFormers(plan, live, error, this.#parts));
          if (rests) throw new StaleError(`${kind.kind} ${live.metadata.name} of a former owner was read.`);
          live = undefined;
          continue;
        }
        // What nothing was decided on may change meanwhile: the decision holds, only the fence does not.
        if (rests || attempt === ATTEMPTS || !isStale(error)) throw error;
        const { client, signal } = this.#parts;
        live = await client.get(resourceOf(kind), desired.metadata, { signal });
      }
    }
  }

  async #applyOver(
    plan: PlanOf<"apply">,
    desired: KubeObject,
    over: {
      readonly subject: string;
      readonly claim: Claim;
      readonly live: KubeObject | undefined;
      readonly echo?: boolean;
    },
  ): Promise<Written> {
    const { kind } = plan;
    const { subject, claim, live, echo = true } = over;
    if (live !== undefined) {
      refuseAnothers(kind, live, claim);
      if (!this.#differs(desired, live)) return this.#unchanged("apply", subject, live, pathsOf(desired));
    }
    refuseChange(kind, desired, claim, plan.asItIs);
    const resource = resourceOf(kind);
    const send = (over: KubeObject | undefined, force: boolean): Promise<KubeObject> =>
      this.#apply(kind, fence(spelled(desired, over), over), { force });
    const emptied = emptying(this.#parts.client, resource, this.#options, (object, paths) =>
      this.#sent("patch", subject, object, paths, echo),
    );
    const taking = { ...this.#taking, appliers: appliersAmong(live, plan.succeeds), says: desired };
    return this.#sending(live, async (sending) => {
      const object =
        live !== undefined && hasPredecessor(live, taking)
          ? await this.#succeed(resource, live, taking, (moved) =>
              pastNulls(moved, (over) => send(over, true), emptied),
            )
          : await pastNulls(
              live,
              (over) => send(over, plan.force === true || (over !== undefined && isAdopted(over, claim))),
              emptied,
            );
      this.#parts.memo.note(desired, object, this.#optionsOf(kind));
      const changed = object.metadata.resourceVersion !== live?.metadata.resourceVersion;
      this.#sent("apply", subject, object, pathsOf(desired), echo, changed, sending);
      return { object, changed };
    });
  }

  /** The writer to one of other clusters. Nobody in this process watches there: neither hints nor a watcher beside it know of it. */
  to(client: KubeClient, elsewhere: WrittenElsewhere): Writer {
    return new Writer({ ...this.#parts, client, elsewhere, hints: undefined, own: undefined });
  }

  #subject = (kind: Kind, at: { readonly namespace?: string | undefined; readonly name: string }): string =>
    subjectIn(this.#parts.elsewhere?.reference, kind, at);

  #claim = (adopts: string | undefined, owner?: AnyObject): Claim => ({
    of: this.#parts.of,
    owner,
    cluster: this.#parts.elsewhere?.reference,
    succeeds: this.#parts.succeeds,
    adopts,
  });

  async create(plan: PlanOf<"create">): Promise<Written> {
    const { kind, owner } = plan;
    const desired = kind.dynamic
      ? saidObject(kind, plan.body, owner)
      : prepareApply(desiredObject(kind, plan.body, owner), preparing(kind));
    const subject = this.#subject(kind, desired.metadata);
    const known = this.#parts.known.get(subject);
    const live = known ?? (plan.unread === true ? undefined : await this.#fresh(kind, desired, subject));
    if (live !== undefined) return this.#unchanged("create", subject, live, []);
    try {
      const object = await this.#parts.client.create(resourceOf(kind), desired, this.#options);
      this.#sent("create", subject, object, pathsOf(desired), true);
      return { object, changed: true };
    } catch (error) {
      if (!(error instanceof KubeError) || error.kind !== "exists") throw error;
      const { signal } = this.#parts;
      const there = await this.#parts.client.get(resourceOf(kind), desired.metadata, { signal });
      return this.#unchanged("create", subject, there, []);
    }
  }

  /**
   * The whole object, over what was read.
   * @param adopts as for `apply`
   */
  async replace(plan: PlanOf<"replace">, adopts?: string): Promise<Written> {
    const live = this.#readOf(plan.kind, plan.object);
    refuseAnothers(plan.kind, live, this.#claim(adopts));
    const subject = this.#subject(plan.kind, live.metadata);
    const next = replacement(plan.body, live);
    const paths = pathsOf(plan.body);
    if (saysTheSame(next, live) || this.#parts.replaced.knows(next, live))
      return this.#unchanged("replace", subject, live, paths);
    return this.#sending(live, async (sending) => {
      const object = await orStale(
        this.#parts.client.replace(resourceOf(plan.kind), live.metadata, next, this.#options),
      );
      this.#parts.replaced.note(next, object);
      const changed = object.metadata.resourceVersion !== live.metadata.resourceVersion;
      this.#sent("replace", subject, object, paths, true, changed, sending);
      return { object, changed };
    });
  }

  async patch(plan: PlanOf<"patch">): Promise<Written> {
    const live = this.#readOf(plan.kind, plan.object);
    const subject = this.#subject(plan.kind, live.metadata);
    const operations = patchOperations(plan.kind, live, plan.change);
    if (operations.length === 0) return this.#unchanged("patch", subject, live, []);
    const tested = [...testsOf(live), ...operations];
    const paths = operations.map(({ path }) => path);
    return this.#sending(live, async (sending) => {
      const object = await orStale(
        this.#parts.client.patch(resourceOf(plan.kind), live.metadata, "json", tested, this.#options),
      );
      this.#sent("patch", subject, object, paths, true, true, sending);
      return { object, changed: true };
    });
  }

  async remove(plan: PlanOf<"remove">): Promise<Written> {
    const { metadata } = plan.object;
    const subject = this.#subject(plan.kind, metadata);
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

  /**
   * A status by server-side apply, fenced with the version that it was decided on (uid is ignored there). What the function
   * declares as its status is its own: fields that somebody else wrote, such as with kubectl's `--subresource=status`, come back.
   */
  async status(kind: Kind, of: AnyObject, status: unknown): Promise<Written> {
    const live = this.#readOf(kind, of);
    const subject = this.#subject(kind, live.metadata);
    refuseOlderGeneration(kind, live, status);
    const desired = prepareApply(
      {
        apiVersion: live.apiVersion,
        kind: live.kind,
        metadata: place(live),
        status: { ...unsaid(kind, status, live.status), ...(status ?? {}) },
      },
      preparing(kind),
    );
    const paths = Object.keys((status ?? {}) as object).map((field) => `status.${field}`);
    const options = this.#optionsOf(kind, "status");
    if (!wouldChange(desired, live, options)) return this.#unchanged("status", subject, live, paths);
    const resource = resourceOf(kind);
    const send = (over: KubeObject, force: boolean): Promise<KubeObject> =>
      this.#apply(
        kind,
        { ...desired, metadata: { ...place(over), resourceVersion: over.metadata.resourceVersion } },
        { subresource: "status", force },
      );
    return this.#sending(live, async (sending) => {
      const taking = { ...this.#taking, part: "status" } as const;
      const object = hasPredecessor(live, taking)
        ? await this.#succeed(resource, live, taking, (moved) => send(moved, true))
        : await orStale(send(live, true));
      const changed = object.metadata.resourceVersion !== live.metadata.resourceVersion;
      this.#sent("status", subject, object, paths, true, changed, sending);
      return { object, changed };
    });
  }

  /** Puts finalizers on, or takes them off, by one patch that tests uid and version. */
  async finalizer(kind: Kind, of: AnyObject, names: readonly string[], present: boolean): Promise<Written> {
    const live = this.#readOf(kind, of);
    const subject = this.#subject(kind, live.metadata);
    const now = live.metadata.finalizers ?? [];
    const changed = names.filter((name) => now.includes(name) !== present);
    if (changed.length === 0) return this.#unchanged("finalizer", subject, live, []);
    const paths = changed.map((name) => `metadata.finalizers[${name}]`);
    const next = present ? [...now, ...changed] : now.filter((each) => !changed.includes(each));
    const operations = [
      ...testsOf(live),
      next.length > 0
        ? { op: "add", path: "/metadata/finalizers", value: next }
        : { op: "remove", path: "/metadata/finalizers" },
    ];
    return this.#sending(live, async (sending) => {
      const object = await orStale(
        this.#parts.client.patch(resourceOf(kind), live.metadata, "json", operations, this.#options),
      );
      this.#sent("finalizer", subject, object, paths, true, true, sending);
      return { object, changed: true };
    });
  }

  /** A Kubernetes Event, named by what it says: twice is once. One that the server will not have is kept in the history. */
  async note(plan: PlanOf<"note">, now: string): Promise<Written> {
    const namespace = plan.about.metadata.namespace ?? "default";
    const event = kubernetesEvent(plan, namespace, this.#parts.fieldManager, now);
    const subject = `/Event/${namespace}/${event.metadata.name}`;
    if (this.#parts.told?.has(subject) === true) return { object: undefined, changed: false };
    try {
      const object = await this.#parts.client.create(
        { group: "", version: "v1", kind: "Event", plural: "events", scope: "Namespaced" },
        event,
        this.#options,
      );
      this.#sent("note", subject, object, [], false);
    } catch (error) {
      if (!(error instanceof KubeError && NO_EVENT.has(error.kind))) {
        if (!(error instanceof KubeError) || !isRefusal(error)) throw error;
        this.#parts.recorder.wrote(
          { verb: "note", subject, paths: [], sent: true, error: error.message },
          false,
        );
        return { object: undefined, changed: false };
      }
    }
    this.#parts.told?.add(subject);
    return { object: undefined, changed: false };
  }

  /** Sends a write over what was read; a line of the watch about the object waits until its answer was looked at. */
  async #sending<T>(
    live: KubeObject | undefined,
    send: (sending: Sending | undefined) => Promise<T>,
  ): Promise<T> {
    const uid = live?.metadata.uid;
    const sending = uid === undefined ? undefined : this.#parts.own?.sends(uid);
    try {
      return await send(sending);
    } finally {
      sending?.ended();
    }
  }

  #apply = (
    kind: Kind,
    body: KubeObject,
    options: { readonly subresource?: "status"; readonly force: boolean },
  ): Promise<KubeObject> =>
    declared(
      kind,
      this.#parts.client.apply(resourceOf(kind), body.metadata, body, { ...this.#options, ...options }),
    );

  #optionsOf = (kind: Pick<Kind, "group">, subresource?: "status"): WouldChangeOptions => ({
    fieldManager: this.#parts.fieldManager,
    custom: isCustom(kind),
    ...(subresource !== undefined && { subresource }),
  });

  #differs(desired: KubeObject, live: KubeObject): boolean {
    const options = this.#optionsOf(parseApiVersion(desired.apiVersion));
    return (
      wouldChange(spelled(desired, live), live, options) && !this.#parts.memo.knows(desired, live, options)
    );
  }

  async #fresh(kind: Kind, desired: KubeObject, subject: string): Promise<KubeObject | undefined> {
    // Where the decision already rests on its absence, or on a list that lacks it, reading again would hide a change.
    if (this.#parts.recorder.tellsAbsent(subject) && !this.#parts.known.has(subject)) return undefined;
    return this.#parts.client.get(resourceOf(kind), desired.metadata, { signal: this.#parts.signal });
  }

  get #taking(): TakeOver {
    return { fieldManager: this.#parts.fieldManager, from: this.#parts.succeeds };
  }

  /** Takes the fields of the operator that ran here before; an object that went meanwhile is a stale read. */
  async #succeed(
    resource: Resource,
    live: KubeObject,
    taking: TakeOver,
    apply: (moved: KubeObject) => Promise<KubeObject>,
  ): Promise<KubeObject> {
    const taken = await takeOver(this.#parts.client, resource, live, taking, apply);
    if (taken === undefined)
      throw new StaleError(`${live.kind} ${live.metadata.name} went away while its fields were taken over.`);
    return taken;
  }

  /** The newest state that this run knows of an object that it was handed. */
  #readOf(kind: Kind, object: AnyObject): KubeObject {
    const known = this.#parts.known.get(this.#subject(kind, object.metadata));
    if (known !== undefined && known.metadata.uid === object.metadata.uid) return known;
    const raw = rawOf(object);
    if (raw === undefined)
      throw new StaleError(`${kind.kind} ${object.metadata.name} was not read in this run.`);
    return raw;
  }

  #unchanged(
    verb: Exclude<RecordedWrite["verb"], "call" | "emit" | "note">,
    subject: string,
    object: KubeObject | undefined,
    paths: readonly string[],
  ): Written {
    this.#parts.recorder.wrote({ verb, subject, ...versionOf(object), paths, sent: false }, false);
    this.#remember(subject, object);
    return { object, changed: false };
  }

  #sent(
    verb: Exclude<RecordedWrite["verb"], "call" | "emit" | "remove">,
    subject: string,
    object: KubeObject,
    paths: readonly string[],
    echo: boolean,
    changed = true,
    sending?: Sending,
  ): void {
    this.#parts.recorder.wrote({ verb, subject, ...versionOf(object), paths, sent: true }, echo, changed);
    if (echo && changed) sending?.wrote(object);
    this.#remember(subject, object);
    this.#parts.hints?.saw(subject, object);
  }

  #remember(subject: string, object: KubeObject | undefined): void {
    if (object === undefined) this.#parts.known.delete(subject);
    else this.#parts.known.set(subject, object);
  }
}

const versionOf = (object: KubeObject | undefined) => ({
  uid: object?.metadata.uid,
  resourceVersion: object?.metadata.resourceVersion,
});
