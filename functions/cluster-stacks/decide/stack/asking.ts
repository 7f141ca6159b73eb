import type { Obj, Time } from "../../../../shared/function/index.ts";
import type { ClusterStack, ClusterStackSpec, StackListing } from "../../kinds/index.ts";

/** A stack that wants the newest release of its source, and what it knows of that. */
export interface SubscribedStack {
  readonly stack: Obj<typeof ClusterStack>;
  readonly spec: ClusterStackSpec;
  readonly known: StackListing | undefined;
}

/** The stacks that share one question to their source. */
export interface SharedQuestion {
  /** The namespace of the first of them. */
  readonly namespace: string;
  readonly subscribed: readonly SubscribedStack[];
  readonly asking: { readonly known?: string | undefined; readonly notBefore?: Time | undefined };
}

/**
 * The questions to one source: one for all stacks, and one for each namespace that asks with its own credentials.
 * @param isApart true for such a namespace
 */
export function askedTogether(
  members: readonly Obj<typeof ClusterStack>[],
  isApart: (namespace: string) => boolean,
): readonly SharedQuestion[] {
  const subscribed = members.flatMap((stack): readonly SubscribedStack[] => {
    const { spec } = stack;
    return spec?.autoSubscribe === true ? [{ stack, spec, known: stack.status?.listing }] : [];
  });
  const together = Map.groupBy(subscribed, ({ stack: { metadata } }) =>
    isApart(metadata.namespace) ? metadata.namespace : "",
  );
  return [...together.values()].flatMap((part) => {
    const [first] = part;
    if (first === undefined) return [];
    const isKnown = part.every(({ known }) => known?.version === first.known?.version);
    const notBefore = latestOf(part.flatMap(({ known }) => known?.notBefore ?? []));
    return [
      {
        namespace: first.stack.metadata.namespace,
        subscribed: part,
        asking: {
          ...(isKnown && { known: first.known?.version }),
          ...(notBefore !== undefined && { notBefore }),
        },
      },
    ];
  });
}

const latestOf = (times: readonly Time[]): Time | undefined => times.toSorted().at(-1);

/**
 * The time at which a source is asked again: the next poll, or the time that it named itself where that is all there is to ask.
 * @param answers what each question left its stacks with
 */
export function nextPoll(answers: readonly (readonly StackListing[])[], poll: Time, now: Time): Time {
  const dues = answers.map((listings) => {
    const notBefore = latestOf(listings.flatMap((listing) => listing.notBefore ?? []));
    return notBefore !== undefined && notBefore > now ? notBefore : poll;
  });
  return dues.toSorted()[0] ?? poll;
}

const MOST_NAMED = 5;
/** The sentence about tags of a source that name no release. */
export const strayText = (tags: readonly string[]): string =>
  `${tags.length} tags of the source name no release: ${tags.toSorted().slice(0, MOST_NAMED).join(", ")}${tags.length > MOST_NAMED ? ", …" : ""}`;
