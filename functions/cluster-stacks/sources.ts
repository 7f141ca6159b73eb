import { allBy, awaited, later, note, on, released } from "../../shared/function/index.ts";
import { configuration } from "./configuration.ts";
import { isLeftOut } from "./decide/filter/index.ts";
import { releaseOfTag, sameStack } from "./decide/names/index.ts";
import { namespacedReleases, secretWaits } from "./decide/source/index.ts";
import {
  askedTogether,
  listingAfter,
  nextPoll,
  stackOf,
  strayTags,
  strayText,
} from "./decide/stack/index.ts";
import { ClusterStack, SourceSecret } from "./kinds/index.ts";
import { releases } from "./ports/releases/index.ts";

/** Sources are asked that often, unless somebody tells of a release. */
const POLL = "5m";

/** One source of releases: what it offers to each ClusterStack that subscribes to it. It is asked once for all of them that ask alike. */
export const sources = allBy(ClusterStack, "source", { status: ["listing"] }).function({
  name: "cluster-stack-sources",
  config: configuration,
  uses: [releases],
  wakes: [
    on(released).toEach<typeof ClusterStack>(({ spec }, { version }) => {
      const release = releaseOfTag(version);
      return spec?.autoSubscribe === true && (release === undefined || sameStack(release, stackOf(spec)));
    }),
  ],
  reads: [awaited(SourceSecret, "followed as long as a source is asked with its credentials")],
  verbs: { ClusterStack: ["list"], "source-secret": ["get"] },
  observe: async ({ members, group, use, news, read, config }) => {
    const asked = namespacedReleases(use(releases), config.sources, (at) => read.object(SourceSecret, at));
    const secretIn = (namespace: string) => asked.secret({ source: group, namespace });
    const mine = members.filter((stack) => !isLeftOut(stack, config));
    const parts = askedTogether(mine, (namespace) => secretIn(namespace) !== undefined);
    return {
      parts: await Promise.all(
        parts.map(async ({ namespace, subscribed, asking }) => ({
          subscribed,
          secret: secretIn(namespace),
          answer: await asked.list(
            { source: group, namespace },
            { ...asking, ...(news !== undefined && { news }) },
          ),
        })),
      ),
    };
  },
  reconcile: ({ parts }, { now }) => {
    if (parts.length === 0) return {};
    const listings = parts.map(({ subscribed, answer }) =>
      subscribed.map(({ stack, spec, known }) => ({
        of: stack,
        listing: listingAfter(answer, known, spec, now),
      })),
    );
    return {
      effects: parts.flatMap(({ subscribed, answer }) => {
        const stray = answer.state === "listed" ? strayTags(answer.releases) : [];
        return stray.length === 0
          ? []
          : subscribed.map(({ stack }) =>
              note(stack, "Warning", "FailedToParseClusterStackRelease", strayText(stray)),
            );
      }),
      status: listings.flat().map(({ of, listing }) => ({ of, status: { listing } })),
      waitingFor: parts.flatMap(({ secret }) => secretWaits(secret)),
      wakeAt: {
        poll: nextPoll(
          listings.map((part) => part.map(({ listing }) => listing)),
          later(now, POLL),
          now,
        ),
      },
    };
  },
  failed: ({ members }, { message }, { config }) =>
    members.flatMap((of) =>
      isLeftOut(of, config)
        ? []
        : [{ of, status: { listing: { ...of.status?.listing, reason: "FailedToSync", message } } }],
    ),
});
