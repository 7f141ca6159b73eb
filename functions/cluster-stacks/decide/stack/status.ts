import type { Obj, Time } from "../../../../shared/function/index.ts";
import type {
  ClusterStack,
  ClusterStackConditionType,
  ClusterStackRelease,
  ClusterStackSpec,
  Condition,
  ReleaseSummary,
  StackListing,
} from "../../kinds/index.ts";
import { bad, conditionsFrom, good, storedVerdicts, type Verdict } from "../conditions/index.ts";
import { compareVersions, dashedText, dottedText, type ReleaseName, tagOf } from "../names/index.ts";
import { summaryOfGoing, summaryOfNew, summaryOfRelease } from "./summary.ts";
import type { Wanted } from "./wanted.ts";

type Type = Exclude<ClusterStackConditionType, "Ready">;

/** A release that is there, by its parsed name. */
export interface NamedRelease {
  readonly name: ReleaseName;
  readonly object: Obj<typeof ClusterStackRelease>;
}

/** The findings and the outcome of a pass, as the status tells them. */
export interface StackFindings {
  readonly spec: ClusterStackSpec;
  readonly listing: StackListing | undefined;
  readonly existing: readonly NamedRelease[];
  readonly wanted: Wanted;
  /** The reason why provider's objects could not be made; undefined: all is well, or there is no provider. */
  readonly provider:
    | { readonly reason: string; readonly message: string; readonly isError: boolean }
    | undefined;
  /** The reason why releases could not be made or deleted. */
  readonly releases: string | undefined;
}

const byVersion = (one: ReleaseName, other: ReleaseName): number =>
  compareVersions(one, other) ?? (tagOf(one) < tagOf(other) ? -1 : 1);

/** The status of a stack, but for its listing, which another function writes. */
export function stackStatus(findings: StackFindings, stored: readonly Condition[] | undefined, now: Time) {
  const { existing, wanted } = findings;
  const usable = existing
    .filter(({ name, object }) => object.status?.ready === true && wanted.keep.has(tagOf(name)))
    .toSorted((one, other) => byVersion(one.name, other.name));
  const latest = usable.find(({ name }) => tagOf(name) === wanted.latestReady);
  return {
    usableVersions: usable.map(({ name }) => dottedText(name.version)).join(", "),
    ...(latest !== undefined && {
      latestRelease: `${tagOf(latest.name)} | ${latest.object.status?.kubernetesVersion ?? ""}`,
    }),
    summary: summaryOf(findings),
    conditions: conditionsFrom(verdictsOf(findings, usable.length > 0), stored, now),
  };
}

function summaryOf({ existing, wanted }: StackFindings): ReleaseSummary[] {
  const kept = existing.flatMap(({ name, object }) =>
    wanted.keep.has(tagOf(name))
      ? [{ name, line: summaryOfRelease(dashedText(name.version), object.status?.conditions) }]
      : [],
  );
  const made = wanted.create.map((name) => ({ name, line: summaryOfNew(dashedText(name.version)) }));
  const going = wanted.awaitDeletion.map((name) => ({
    name,
    line: summaryOfGoing(dashedText(name.version)),
  }));
  return [...kept, ...made, ...going]
    .toSorted((one, other) => byVersion(one.name, other.name))
    .map(({ line }) => line);
}

function verdictsOf(findings: StackFindings, isAvailable: boolean): readonly Verdict<Type>[] {
  const { spec, listing, provider, releases } = findings;
  return [
    ...(spec.autoSubscribe && listing !== undefined ? sourceVerdicts(listing) : []),
    ...(spec.noProvider
      ? []
      : [
          provider === undefined
            ? good<Type>("ProviderClusterStackReleasesSynced")
            : bad<Type>(
                "ProviderClusterStackReleasesSynced",
                provider.isError ? "Error" : "Warning",
                provider.reason,
                provider.message,
              ),
        ]),
    releases === undefined
      ? good("ClusterStackReleasesSynced")
      : bad("ClusterStackReleasesSynced", "Warning", "FailedToCreateOrUpdate", releases),
    isAvailable
      ? good("ClusterStackReleaseAvailable")
      : bad("ClusterStackReleaseAvailable", "Info", "NoReleaseReady", "no release is ready"),
  ];
}

function sourceVerdicts({ reason, message = "", notBefore }: StackListing): readonly Verdict<Type>[] {
  const text = notBefore === undefined ? message : `${message}; it is asked again at ${notBefore}`;
  if (reason === undefined) return [good("AssetsClientAPIAvailable"), good("ReleasesSynced")];
  return reason === "FailedCreateAssetsClient"
    ? [
        bad("AssetsClientAPIAvailable", "Error", reason, text),
        bad("ReleasesSynced", "Warning", "FailedToSync", text),
      ]
    : [good("AssetsClientAPIAvailable"), bad("ReleasesSynced", "Warning", reason, text)];
}

const KEPT = [
  "AssetsClientAPIAvailable",
  "ReleasesSynced",
  "ProviderClusterStackReleasesSynced",
  "ClusterStackReleaseAvailable",
] as const;

/** The status of a stack whose run failed with an error that nobody expected. */
export function failedStack({ status }: Obj<typeof ClusterStack>, message: string, now: Time) {
  const { listing: _, ...kept } = status ?? {};
  const fault = bad("ClusterStackReleasesSynced", "Warning", "FailedToCreateOrUpdate", message);
  const verdicts = [...storedVerdicts(status?.conditions, KEPT), fault];
  return { ...kept, conditions: conditionsFrom(verdicts, status?.conditions, now) };
}
