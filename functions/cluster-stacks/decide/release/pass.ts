import {
  apply,
  type Effects,
  later,
  note,
  type Obj,
  patch,
  type Results,
  remove,
  type Time,
  type Wait,
} from "../../../../shared/function/index.ts";
import { apiVersionOf } from "../../../../shared/kube/object.ts";
import { identityKey, without } from "../../../../shared/manifests/inventory.ts";
import type { ApplicableObject } from "../../../../shared/manifests/objects.ts";
import {
  ClassObject,
  ClusterStackRelease,
  ProviderObject,
  type ReleaseConditionType,
  type ReleaseStatus,
  type Resource,
} from "../../kinds/index.ts";
import { applicationOf, inWaves, recreation, releaseMark } from "../apply/index.ts";
import { bad, conditionsFrom, good, storedVerdicts, type Verdict } from "../conditions/index.ts";
import { secretWaits } from "../source/index.ts";
import { type Download, downloadOf } from "./download.ts";
import { goneWait } from "./gone.ts";
import { isProviderReady, type Provider, type ReleaseWorld } from "./world.ts";

type Release = Obj<typeof ClusterStackRelease>;
type Type = Exclude<ReleaseConditionType, "Ready">;
type Target = "class-object" | "provider-object";

/** The time after which all is looked at again: an object may have been changed or deleted. */
const DRIFT = "1h";
/** The time after which an object that the API server did not take is tried again. */
const RETRY = "20s";

/** Decides what is done next about a release that is wanted, or used. `waits`: what it waits for besides. */
export function releasePass(self: Release, world: ReleaseWorld, now: Time, waits: readonly Wait[] = []) {
  const { provider, rendered } = world;
  const download = downloadOf(self, world, now);
  const adoption = adoptionOf(self, provider);
  if (adoption !== undefined) return { effects: adoption, again: true };
  const stored = self.status?.resources ?? [];
  const waitingFor = [...providerWaits(provider), ...secretWaits(world.secret), ...waits];
  const wakeAt = {
    ...(download.fields.nextTry !== undefined && { assets: afterNow(download.fields.nextTry, now) }),
    drift: later(now, DRIFT),
  };
  const verdicts = [...download.verdicts, providerVerdict(provider)];
  const news: Effects<never> =
    download.faults === undefined ? [] : note(self, "Warning", "ValidateHelmChartFailed", download.faults);
  const resting = (chart: readonly Verdict<Type>[]) => ({
    effects: news,
    status: statusOf(self, [...verdicts, ...chart], download, stored, now),
    waitingFor,
    wakeAt,
  });
  if (rendered === undefined) return resting(storedVerdicts(self.status?.conditions, ["HelmChartApplied"]));
  if ("fault" in rendered)
    return resting([bad("HelmChartApplied", "Error", "FailedToApplyObjects", rendered.fault)]);
  const wanted = rendered.objects.map(({ resource }) => resource);
  const record = recordOf(stored, wanted);
  if (without(wanted, stored).length > 0)
    return {
      effects: news,
      status: statusOf(self, [...verdicts, ongoing(wanted.length, wanted.length)], download, record, now),
      again: true,
    };
  const anew = recreation(world.recreated, releaseMark(self), (live) => remove(ClassObject, live), goneWait);
  const objects = rendered.objects.filter(({ resource }) => !anew.isGoing(resource));
  const waves = inWaves(objects, (object, heldBy) =>
    apply(ClassObject, object, { force: true, asItIs: heldBy !== undefined }),
  );
  return {
    effects: [news, anew.effects, waves.effects],
    conclude: (results: Results) => {
      const application = applicationOf(waves.each, record, results);
      const { mayPass, missing, going, recreates, held } = application;
      const resources = anew.told(application.resources, results);
      const left = without(
        resources.filter(({ status }) => status !== "synced"),
        held,
      );
      const chart = left.length === 0 ? applied(held) : ongoing(left.length, wanted.length, left[0]);
      return {
        status: statusOf(self, [...verdicts, chart], download, resources, now),
        waitingFor: [
          ...waitingFor,
          ...missing.map(kindWait),
          ...going.map(goneWait),
          ...anew.waits,
          ...[...new Set(objects.flatMap(({ heldBy }) => heldBy ?? []))].map(holderWait),
        ],
        again: recreates || anew.effects.length > 0,
        wakeAt: { ...wakeAt, ...((mayPass || anew.isHeldUp(results)) && { apply: later(now, RETRY) }) },
      };
    },
  };
}

const afterNow = (time: Time, now: Time): Time =>
  Date.parse(time) > Date.parse(now) ? time : later(now, "1s");

/** Makes the release the owner of its provider's object, so that both go together. */
function adoptionOf(self: Release, provider: Provider): Effects<Target> | undefined {
  if (provider.state !== "found" || provider.object.metadata.deletionTimestamp !== undefined)
    return undefined;
  const { ownerReferences } = provider.object.metadata;
  const { apiVersion, kind, metadata } = self;
  if (ownerReferences.some(({ uid }) => uid === metadata.uid)) return undefined;
  const isFree = !ownerReferences.some(({ controller }) => controller === true);
  const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid };
  return patch(ProviderObject, provider.object, {
    addOwner: { ...owner, ...(isFree && { controller: true, blockOwnerDeletion: true }) },
  });
}

function providerVerdict(provider: Provider): Verdict<Type> {
  const type = "ProviderClusterStackReleaseReady";
  if (isProviderReady(provider)) return good(type);
  switch (provider.state) {
    case "refused":
      return bad(type, "Error", "ProcessOngoing", provider.message);
    case "missing":
      return bad(
        type,
        "Info",
        "ProcessOngoing",
        `${provider.place.kind} ${provider.place.name} is not there yet`,
      );
    case "found":
      return bad(
        type,
        "Info",
        "ProcessOngoing",
        `${provider.place.kind} ${provider.place.name} is not ready yet`,
      );
    case "none":
      return good(type);
  }
}

/** It is followed for good: what is ready may not stay so. */
const providerWaits = (provider: Provider): readonly Wait[] =>
  provider.state === "missing" || provider.state === "found"
    ? [{ for: `${provider.place.kind} ${provider.place.name} to change`, object: provider.place }]
    : [];

const ongoing = (left: number, all: number, first?: Resource): Verdict<Type> =>
  bad(
    "HelmChartApplied",
    "Warning",
    "ObjectsApplyingOngoing",
    first === undefined
      ? `${left} of ${all} objects are to be applied`
      : `${left} of ${all} objects are not applied, ${first.kind ?? ""} ${first.name ?? ""}: ${first.error ?? ""}`,
  );

/** All objects stand. What another release holds is no hindrance: it goes only once this one may take its place. */
const applied = ([first, ...others]: readonly Resource[]): Verdict<Type> => ({
  ...good("HelmChartApplied"),
  ...(first !== undefined && {
    message: `${others.length + 1} objects are as another release has them, ${first.kind ?? ""} ${first.name ?? ""}: ${first.error ?? ""}`,
  }),
});

/** The record with all that is wanted. What was never applied and is not wanted any more goes from it. */
function recordOf(stored: readonly Resource[], wanted: readonly Resource[]): Resource[] {
  const known = new Map(stored.map((resource) => [identityKey(resource), resource]));
  const others = without(stored, wanted).filter(({ status }) => status === "synced");
  return [
    ...others,
    ...wanted.map((resource) => {
      const before = known.get(identityKey(resource));
      return {
        ...resource,
        status: before?.status ?? ("not-synced" as const),
        ...(before?.error !== undefined && { error: before.error }),
        ...(before?.recreate === true && { recreate: true }),
      };
    }),
  ];
}

/** It hands its objects over when it goes; one that is gone holds nothing. */
function holderWait(holder: string): Wait {
  const [namespace = "", name = ""] = holder.split("/");
  const { kind } = ClusterStackRelease;
  return {
    for: `the release ${holder} to let go of what this one brings too`,
    object: { apiVersion: apiVersionOf(ClusterStackRelease), kind, name, namespace },
  };
}

const kindWait = ({ apiVersion, kind, metadata: { name, namespace } }: ApplicableObject): Wait => ({
  for: `the kind ${kind} of ${apiVersion}`,
  object: { apiVersion, kind, name, namespace },
});

function statusOf(
  self: Release,
  verdicts: readonly Verdict<Type>[],
  { fields }: Download,
  resources: readonly Resource[],
  now: Time,
): ReleaseStatus {
  const conditions = conditionsFrom(verdicts, self.status?.conditions, now);
  const isWhole = verdicts.some(({ type }) => type === "HelmChartApplied");
  return {
    ready: isWhole && conditions[0]?.status === "True",
    ...fields,
    ...(resources.length > 0 && { resources: [...resources] }),
    conditions,
  };
}
