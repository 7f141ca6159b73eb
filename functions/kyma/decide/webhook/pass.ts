import {
  apply,
  call,
  type Effect,
  type Effects,
  inOrder,
  type Obj,
  type Results,
  type Time,
  timeOf,
  type Wait,
} from "../../../../shared/function/index.ts";
import { fieldsOf } from "../../../../shared/json/fields.ts";
import { type Kyma, RUNTIME_NAMESPACE, RuntimeObject, runtimes, type Watcher } from "../../kinds/index.ts";
import { issuer } from "../../ports/issuer/index.ts";
import {
  addedAtOf,
  bundleOf,
  certificateName,
  dataOf,
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
import { conditionsOf, good, type KymaCondition, lacking, nothingToSay } from "../conditions/index.ts";
import { installed } from "./install.ts";
import { type WatchedKind, WEBHOOK } from "./words.ts";
import type { InstallWorld } from "./world.ts";

type Target = "Secret" | "issuer" | (typeof RuntimeObject)["id"];
interface InstallEnding {
  readonly status: { readonly conditions: KymaCondition<"SKRWebhook">[] };
  readonly waitingFor?: readonly Wait[];
  readonly wakeAt?: Readonly<Record<string, Time>>;
  readonly again?: boolean;
  readonly retry?: boolean;
  readonly record?: Effects<Target>;
}

/** Decides what a runtime has to tell of its changes: a certificate first, then everything that is installed there (4.2, 4.3). */
export function installPass(self: Obj<typeof Kyma>, world: InstallWorld | undefined, now: Time) {
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
  const authority = pairOf(world.authority?.data);
  if (newest === undefined || authority === undefined)
    return { status: bad("The authority of the runtimes' certificates is yet to be made.") };
  const pair = pairOf(secret?.data);
  const known = { authority: newest, addedAt: addedAtOf(gateway), share: shareOf(self.metadata.name) };
  const due = runtimeIsDueAt(pair, subject, known);
  // An authority that is not in the bundle yet proves nobody.
  const mayIssue = bundleOf(authority.certificate)[0] === newest;
  if (pair === undefined || (due <= Date.parse(now) && mayIssue))
    return mayIssue
      ? issued(self, world, { subject, authority, now }, bad)
      : { status: bad("The new authority of the runtimes' certificates is yet to be trusted.") };
  const wakeAt = { certificate: timeOf(Math.max(due, Date.parse(now)) + 1_000) };
  if (there.state !== "reachable")
    return { status: bad("The runtime does not answer."), waitingFor: [there.wait], wakeAt };
  const { base, registration } = installed({
    image: settings.image,
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
  const program = applied[base.findIndex(({ kind }) => kind === "Deployment")];
  return {
    effects: inOrder<Target>(applied, inRuntime(registration)),
    conclude: (results: Results): InstallEnding => {
      const [failure] = results.failed;
      if (failure !== undefined)
        return { status: bad(failure.error.message), waitingFor: [there.wait], wakeAt, retry: true };
      const fault = faultOf(program, results);
      return {
        status: says(fault === undefined ? good("SKRWebhook") : lacking("SKRWebhook", fault)),
        waitingFor: [there.wait, programWait(there.cluster)],
        wakeAt,
      };
    },
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

/** The Watchers as a runtime needs them; one that is being deleted watches no more. */
const watchedBy = (watchers: readonly Obj<typeof Watcher>[]): readonly WatchedKind[] =>
  watchers.flatMap(({ metadata, spec }) =>
    spec === undefined || metadata.deletionTimestamp !== undefined
      ? []
      : [
          {
            name: metadata.name,
            namespace: metadata.namespace,
            manager: spec.manager ?? metadata.labels["operator.kyma-project.io/managed-by"] ?? "",
            resource: spec.resourceToWatch,
            labels: spec.labelsToWatch ?? {},
            field: spec.field,
          },
        ],
  );

/** The reason why the program does not run; undefined where it does. */
function faultOf(
  program: Effect<(typeof RuntimeObject)["id"], Obj<typeof RuntimeObject>> | undefined,
  results: Results,
): string | undefined {
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
