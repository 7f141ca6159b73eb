import {
  apply,
  call,
  type Effect,
  type Effects,
  emit,
  inOrder,
  type Obj,
  type Results,
  type Time,
  timeOf,
  type Wait,
} from "../../../../shared/function/index.ts";
import { fieldsOf } from "../../../../shared/json/fields.ts";
import { isTrue } from "../../../../shared/kube/conditions.ts";
import { isSubdomain } from "../../../../shared/kube/subdomain.ts";
import {
  type CertificateObject,
  type Kyma,
  managerOf,
  RUNTIME_NAMESPACE,
  RuntimeObject,
  runtimeChanged,
  runtimes,
  type Watcher,
} from "../../kinds/index.ts";
import { issuer } from "../../ports/issuer/index.ts";
import {
  addedAtOf,
  authorityOf,
  type Backend,
  bundleOf,
  certificateName,
  dataOf,
  describedFor,
  describedWait,
  ISSUE_AFTER,
  ISSUE_WITHIN,
  isOfBefore,
  madeAnew,
  type Pair,
  pairOf,
  type RuntimeSubject,
  runtimeIsDueAt,
  shareOf,
  subjectOf,
  termOf,
  textOf,
  written,
} from "../certificates/index.ts";
import {
  conditionsOf,
  good,
  type KymaCondition,
  lacking,
  nothingToSay,
  stopped,
  tellsOfChanges,
} from "../conditions/index.ts";
import { isRefused, triedAgain } from "../manifest/index.ts";
import { installed } from "./install.ts";
import { podWaits, stopOf } from "./pods.ts";
import { type WatchedKind, WEBHOOK } from "./words.ts";
import type { InstallWorld } from "./world.ts";

type Target =
  | "Secret"
  | "issuer"
  | (typeof RuntimeObject)["id"]
  | (typeof CertificateObject)["id"]
  | "runtime.changed";
interface InstallEnding {
  readonly status: { readonly conditions: KymaCondition<"SKRWebhook">[] };
  readonly waitingFor?: readonly Wait[];
  readonly wakeAt?: Readonly<Record<string, Time>>;
  readonly again?: boolean;
  readonly retry?: boolean;
  readonly record?: Effects<Target>;
}

/**
 * Decides what a runtime has to tell of its changes: a certificate first, then everything that is installed there (4.2, 4.3).
 * @param pullSecret the Secret there with which images are pulled; undefined where none is configured
 */
export function installPass(
  self: Obj<typeof Kyma>,
  world: InstallWorld | undefined,
  now: Time,
  pullSecret?: string,
) {
  const says = (verdict: ReturnType<typeof good<"SKRWebhook">> | undefined): InstallEnding["status"] => ({
    conditions: conditionsOf(self.status, ["SKRWebhook"], verdict === undefined ? [] : [verdict], now),
  });
  if (world === undefined) return nothingToSay(self.status, ["SKRWebhook"]);
  const { settings, there, secret, gateway } = world;
  const bad = (message: string) => says(lacking("SKRWebhook", message));
  const subject = subjectOf(self, settings.dnsNames);
  if ("missing" in subject) return { status: bad(`There is no certificate without ${subject.missing}.`) };
  const bundle = textOf(gateway?.data, "ca.crt");
  const [newest] = bundleOf(bundle);
  const authority = authorityOf(world.authority?.data);
  if (newest === undefined || authority === undefined)
    return { status: bad("The authority of the runtimes' certificates is yet to be made.") };
  const pair = pairOf(secret?.data);
  const known = { authority: newest, addedAt: addedAtOf(gateway), share: shareOf(self.metadata.name) };
  const others = settings.issuer === "builtIn" ? undefined : madeByOthers(self, world, subject, now);
  if (others?.ending !== undefined)
    return {
      effects: others.effects,
      ...others.ending,
      status: bad("The certificate of the runtime is being made."),
    };
  const due = others === undefined ? runtimeIsDueAt(pair, subject, known) : others.due;
  // An authority that is not in the bundle yet proves nobody.
  const mayIssue = bundleOf(authority.certificate)[0] === newest;
  if (pair === undefined || (others === undefined && mayIssue && due <= Date.parse(now)))
    return mayIssue
      ? issued(self, world, { subject, authority, now }, bad)
      : { status: bad("The new authority of the runtimes' certificates is yet to be trusted.") };
  const wakeAt: Readonly<Record<string, Time>> =
    due > Date.parse(now) && Number.isFinite(due) ? { certificate: timeOf(due + 1_000) } : {};
  const waits = [there.wait, ...(others?.waits ?? [])];
  if (there.state === "reachable" && !hasNamespace(self))
    return { status: bad("The namespace of the runtime is yet to be made."), waitingFor: waits, wakeAt };
  if (there.state !== "reachable")
    return { status: bad("The runtime does not answer."), waitingFor: waits, wakeAt };
  const { base, registration } = installed({
    image: settings.image,
    pullSecret,
    controlPlane: settings.address,
    beatSeconds: settings.beatSeconds,
    watchers: watchedBy(world.watchers),
    authorities: bundle,
    certificate: { ...pair, version: secret?.metadata.resourceVersion ?? "" },
  });
  const inRuntime = (object: (typeof base)[number]) =>
    apply(
      RuntimeObject,
      { ...object, metadata: { ...object.metadata, cluster: there.cluster } },
      { force: true },
    );
  const applied = base.map(inRuntime);
  const registered = inRuntime(registration);
  const program = applied[base.findIndex(({ kind }) => kind === "Deployment")];
  return {
    effects: inOrder<Target>(others?.effects ?? [], applied, registered),
    conclude: (results: Results): InstallEnding => {
      const refused = results.failed.find(({ error }) => isRefused(error))?.error;
      if (refused !== undefined)
        return {
          status: bad(refused.message),
          waitingFor: waits,
          wakeAt: { ...wakeAt, ...triedAgain(refused, now) },
        };
      const [failure] = results.failed;
      if (failure !== undefined)
        return { status: bad(failure.error.message), waitingFor: waits, wakeAt, retry: true };
      const fault = faultOf(program, results);
      const followed = programWait(there.cluster);
      if (fault === undefined)
        return {
          status: says(good("SKRWebhook")),
          // One that is heard runs, and that it falls silent is heard too.
          waitingFor: tellsOfChanges(self.status) ? waits : [...waits, followed],
          wakeAt,
          record: isMadeAnew(registered, results) && tellsOfChanges(self.status) ? untold(subject, now) : [],
        };
      const stop = stopOf(world.pods);
      return {
        status: stop === undefined ? bad(fault) : says(stopped(stop)),
        waitingFor: [...waits, followed, ...podWaits(there.cluster, world.pods)],
        wakeAt,
      };
    },
  };
}

type Applied = Effect<(typeof RuntimeObject)["id"], Obj<typeof RuntimeObject>>;
/** True where the object was not there before it was applied. */
function isMadeAnew(effect: Applied, results: Results): boolean {
  const result = results(effect);
  return result.state === "done" && result.changed && result.value.metadata.generation === 1;
}

/** Has everything looked at that follows a runtime: nobody told of it while its registration was away. */
const untold = ({ commonName }: RuntimeSubject, now: Time) =>
  emit(runtimeChanged, { runtimeId: commonName, delivery: `registered ${now}` });

/** True once everything can be put into the runtime: the namespace is there before the definitions are. */
const hasNamespace = ({ status }: Obj<typeof Kyma>): boolean =>
  isTrue(status?.conditions, "CRDsSync") || isTrue(status?.conditions, "SKRWebhook");

/** Has another program make the certificate. `ending` where there is none yet, or none that counts. */
function madeByOthers(
  self: Obj<typeof Kyma>,
  { settings, secret, gateway }: InstallWorld,
  subject: RuntimeSubject,
  now: Time,
) {
  const backend: Backend = settings.issuer === "gardener" ? "gardener" : "certManager";
  const pair = pairOf(secret?.data);
  const addedAt = addedAtOf(gateway);
  const after = ISSUE_AFTER + shareOf(self.metadata.name) * ISSUE_WITHIN;
  const [authority = ""] = bundleOf(textOf(gateway?.data, "ca.crt"));
  const renew =
    pair !== undefined && isOfBefore(pair.certificate, { authority, addedAt, after, now: Date.parse(now) });
  const described = describedFor(self, subject, { backend, issuer: settings.issuerName, renew });
  const waits = [describedWait(self, backend)];
  const effects: Effects<Target> = inOrder<Target>(
    described,
    renew && secret !== undefined ? madeAnew(backend, secret) : [],
  );
  return {
    effects,
    waits,
    due: (addedAt ?? Date.parse(now)) + after,
    ending: pair === undefined || renew ? { waitingFor: waits } : undefined,
  };
}

/** Has the certificate of a runtime made, and stores it before anything is installed with it. */
function issued(
  self: Obj<typeof Kyma>,
  { secret }: InstallWorld,
  {
    subject,
    authority,
    now,
  }: { readonly subject: RuntimeSubject; readonly authority: Pair; readonly now: Time },
  bad: (message: string) => InstallEnding["status"],
) {
  const { name, namespace, uid } = self.metadata;
  const made = call(
    issuer,
    "issue",
    { authority, ...subject, ...termOf("runtime", Date.parse(now), authority.certificate) },
    { key: `${uid} ${secret?.metadata.uid ?? ""} ${secret?.metadata.resourceVersion ?? ""}` },
  );
  return {
    effects: made,
    conclude: (results: Results): InstallEnding => {
      const result = results(made);
      const status = bad("The certificate of the runtime is being made.");
      if (result.state !== "done") return { status, retry: true };
      const place = { name: certificateName(name), namespace };
      return { status, record: written(place, secret, dataOf(result.value), { owner: self }), again: true };
    },
  };
}

/**
 * The Watchers as a runtime needs them. One that is being deleted watches no more; one without a usable manager is in Error, and must not
 * take the registration from all others.
 */
const watchedBy = (watchers: readonly Obj<typeof Watcher>[]): readonly WatchedKind[] =>
  watchers.flatMap((watcher) => {
    const { metadata, spec } = watcher;
    const manager = managerOf(watcher);
    return spec === undefined || metadata.deletionTimestamp !== undefined || !isSubdomain(manager)
      ? []
      : {
          name: metadata.name,
          namespace: metadata.namespace,
          manager,
          resource: spec.resourceToWatch,
          labels: spec.labelsToWatch ?? {},
          field: spec.field,
        };
  });

/** The reason why the program does not run; undefined where it does. */
function faultOf(program: Applied | undefined, results: Results): string | undefined {
  const result = program && results(program);
  const status = result?.state === "done" ? fieldsOf(result.value.status) : {};
  const conditions = Array.isArray(status.conditions) ? status.conditions.map(fieldsOf) : [];
  const available = conditions.find(({ type }) => type === "Available");
  if (available?.status === "True") return undefined;
  const why = typeof available?.message === "string" ? `: ${available.message}` : ".";
  return `The Deployment ${WEBHOOK} in the runtime is not available${why}`;
}

const programWait = (cluster: string): Wait => ({
  for: "the program that watches in the runtime",
  object: {
    apiVersion: "apps/v1",
    kind: "Deployment",
    namespace: RUNTIME_NAMESPACE,
    name: WEBHOOK,
    cluster: runtimes.named(cluster),
  },
});
