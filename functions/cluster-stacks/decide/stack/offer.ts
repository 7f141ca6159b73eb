import { type Time, toWholeSeconds } from "../../../../shared/function/index.ts";
import type { ClusterStackSpec, StackListing } from "../../kinds/index.ts";
import type { ListedRelease, Listing } from "../../ports/releases/index.ts";
import { highest, type ReleaseName, releaseOfTag, type StackName, sameStack } from "../names/index.ts";
import { isClosed } from "../source/index.ts";

/** The stack that a spec means. */
export const stackOf = ({ provider, name, kubernetesVersion }: ClusterStackSpec): StackName => ({
  provider,
  name,
  kubernetes: kubernetesVersion,
});

/** True for a release of the channel: custom ones have a label. */
export const isOfChannel = (release: ReleaseName, channel: ClusterStackSpec["channel"]): boolean =>
  (release.version.custom !== undefined) === (channel === "custom");

/** True for a release of the stack that a spec means, on its channel: two stacks may differ in that alone. */
export const isOfStack = (release: ReleaseName, spec: ClusterStackSpec): boolean =>
  sameStack(release, stackOf(spec)) && isOfChannel(release, spec.channel);

/** A release of a list whose tag is the name of one. */
type Offered = ListedRelease & { readonly name: ReleaseName } & Pick<ReleaseName, "version">;
const parsed = (releases: readonly ListedRelease[]): readonly Offered[] =>
  releases.flatMap((release) => {
    const name = releaseOfTag(release.tag);
    return name === undefined ? [] : [{ ...release, name, version: name.version }];
  });

/** The tags of a list that are no names of releases. */
export const strayTags = (releases: readonly ListedRelease[]): readonly string[] =>
  releases.flatMap(({ tag }) => (releaseOfTag(tag) === undefined ? [tag] : []));

/**
 * The knowledge that a stack has of its source after another answer. A failure, and a list that holds nothing of this stack, take nothing away of
 * what was known.
 */
export function listingAfter(
  answer: Listing,
  known: StackListing | undefined,
  spec: ClusterStackSpec,
  now: Time,
): StackListing {
  const { version, latest, publishedAt } = known ?? {};
  const kept = {
    ...(version !== undefined && { version }),
    ...(latest !== undefined && { latest }),
    ...(publishedAt !== undefined && { publishedAt }),
  };
  switch (answer.state) {
    case "unchanged":
      return kept;
    case "not due":
      return known ?? {};
    case "failed": {
      const { message, notBefore } = answer;
      return {
        ...kept,
        reason: isClosed(answer) ? "FailedCreateAssetsClient" : "FailedToSync",
        message,
        ...(notBefore !== undefined && notBefore > now && { notBefore: toWholeSeconds(notBefore) }),
      };
    }
    case "listed": {
      const mine = parsed(answer.releases).filter(
        ({ name, prerelease }) =>
          isOfStack(name, spec) && !(prerelease === true && spec.channel === "stable"),
      );
      const top = highest(mine);
      // Without the version of the list all of it is read again: "unchanged" would tell of no fault.
      const unsure = (message: string): StackListing => ({
        ...(latest !== undefined && { latest }),
        ...(publishedAt !== undefined && { publishedAt }),
        ...{ reason: "FailedToSync", message },
      });
      if (top === "ambiguous")
        return unsure(
          "nobody can tell which release is the newest: their source says nothing of when they were published, or their labels differ; name one in spec.versions",
        );
      if (top === undefined)
        return latest === undefined
          ? { version: answer.version }
          : unsure(
              `the source lists no release of this stack any more: its newest was ${latest}, which is kept; publish it again, or set spec.autoSubscribe to false`,
            );
      const at = top.publishedAt;
      return {
        version: answer.version,
        latest: top.tag,
        ...(at !== undefined && { publishedAt: toWholeSeconds(at) }),
      };
    }
  }
}

/** The newest release that the source offers to this stack. */
export function latestOf(
  spec: ClusterStackSpec,
  listing: StackListing | undefined,
): ReleaseName | "unknown" | undefined {
  if (!spec.autoSubscribe) return undefined;
  const latest = listing?.latest === undefined ? undefined : releaseOfTag(listing.latest);
  return latest !== undefined && sameStack(latest, stackOf(spec)) && isOfChannel(latest, spec.channel)
    ? latest
    : "unknown";
}
