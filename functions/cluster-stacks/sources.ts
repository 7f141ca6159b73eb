import { allBy, later, note, on, released } from "../../shared/function/index.ts";
import { releaseOfTag, sameStack } from "./decide/names/index.ts";
import { listingAfter, stackOf, strayTags } from "./decide/stack/index.ts";
import { ClusterStack } from "./kinds/index.ts";
import { releases } from "./ports/releases/index.ts";

/** Sources are asked that often, unless somebody tells of a release. */
const POLL = "5m";

/** One source of releases: what it offers to each ClusterStack that subscribes to it. It is asked once for all of them. */
export const sources = allBy(ClusterStack, "source", { status: ["listing"] }).function({
  name: "cluster-stack-sources",
  uses: [releases],
  wakes: [
    on(released).toEach<typeof ClusterStack>(({ spec }, { version }) => {
      const release = releaseOfTag(version);
      return spec?.autoSubscribe === true && (release === undefined || sameStack(release, stackOf(spec)));
    }),
  ],
  verbs: { ClusterStack: ["list"] },
  observe: async ({ members, group, use, news }) => {
    const subscribed = members.flatMap((stack) => {
      const { spec } = stack;
      return spec?.autoSubscribe === true ? [{ stack, spec, known: stack.status?.listing }] : [];
    });
    const [first] = subscribed;
    if (first === undefined) return { subscribed, answer: undefined };
    const isKnown = subscribed.every(({ known }) => known?.version === first.known?.version);
    const times = subscribed.flatMap(({ known }) => known?.notBefore ?? []);
    const answer = await use(releases).list(group, {
      ...(isKnown && { known: first.known?.version }),
      ...(times.length > 0 && { notBefore: times.toSorted().at(-1) }),
      ...(news !== undefined && { news }),
    });
    return { subscribed, answer };
  },
  reconcile: ({ subscribed, answer }, { now }) => {
    if (answer === undefined) return {};
    const listings = subscribed.map(({ stack, spec, known }) => ({
      of: stack,
      listing: listingAfter(answer, known, spec, now),
    }));
    const stray = answer.state === "listed" ? strayTags(answer.releases) : [];
    const notBefore = listings
      .flatMap(({ listing }) => listing.notBefore ?? [])
      .toSorted()
      .at(-1);
    return {
      effects:
        stray.length === 0
          ? []
          : subscribed.map(({ stack }) =>
              note(stack, "Warning", "FailedToParseClusterStackRelease", sentenceOf(stray)),
            ),
      status: listings.map(({ of, listing }) => ({ of, status: { listing } })),
      wakeAt: { poll: notBefore !== undefined && notBefore > now ? notBefore : later(now, POLL) },
    };
  },
  failed: ({ members }, { message }) =>
    members.map((of) => ({
      of,
      status: { listing: { ...of.status?.listing, reason: "FailedToSync", message } },
    })),
});

const MOST_NAMED = 5;
const sentenceOf = (tags: readonly string[]): string =>
  `${tags.length} tags of the source name no release: ${tags.toSorted().slice(0, MOST_NAMED).join(", ")}${tags.length > MOST_NAMED ? ", …" : ""}`;
