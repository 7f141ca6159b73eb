import type { Version } from "./read.ts";

/** A wish for a release: exactly one of these. */
export type UpdateWish =
  | { readonly to: "version"; readonly version: string }
  | { readonly to: "image"; readonly image: string }
  | { readonly to: "latest" }
  | { readonly to: "nothing" };

/** The objections that the person who asks knowingly goes past. */
export interface Allowed {
  /** Signature and preconditions. */
  readonly force: boolean;
  /** Risks of a conditional update. */
  readonly notRecommended: boolean;
  /** True where it may be an image that nobody offers. */
  readonly explicit: boolean;
}

/** The outcome of a wish: a change of `spec`, nothing to do, or a refusal. `warnings` are told beside it. */
export type Outcome =
  | {
      readonly outcome: "write";
      readonly spec: SpecChange;
      readonly said: string;
      readonly warnings: readonly string[];
    }
  | { readonly outcome: "nothing"; readonly said: string }
  | { readonly outcome: "refused"; readonly said: string };

/** A merge patch of `spec`: null takes a field away. */
export interface SpecChange {
  readonly desiredUpdate?: null | {
    readonly version: string | null;
    readonly image: string | null;
    readonly force: true | null;
    readonly architecture: null;
    readonly mode: null;
  };
  readonly channel?: string | null;
}

const refused = (said: string): Outcome => ({ outcome: "refused", said });
const nothing = (said: string): Outcome => ({ outcome: "nothing", said });

/** The outcome of a wish for a release in this cluster. Pure: its caller reads the object and writes it. */
export function updateOutcome(version: Version, wish: UpdateWish, allowed: Allowed): Outcome {
  if (wish.to === "nothing") return cleared(version);
  const { status } = version;
  const available = status?.availableUpdates ?? [];
  if (wish.to === "latest") {
    const [newest] = available;
    const here = status?.desired.version ?? "";
    return newest === undefined
      ? nothing(`No recommended update is offered${here === "" ? "" : `: the cluster is at ${here}`}.`)
      : toRelease(version, newest, { allowed, warnings: [] });
  }
  const isIt = (release: { readonly version: string; readonly image: string }): boolean =>
    wish.to === "version" ? release.version === wish.version : release.image === wish.image;
  const offered = available.find(isIt);
  if (offered !== undefined) return toRelease(version, offered, { allowed, warnings: [] });
  const risky = status?.conditionalUpdates?.find(({ release }) => isIt(release));
  if (risky !== undefined) {
    const { version: name } = risky.release;
    const risks = riskText(risky);
    return allowed.notRecommended
      ? toRelease(version, risky.release, {
          allowed,
          warnings: [`${name} is not recommended for this cluster: ${risks}`],
        })
      : refused(
          `${name} is not recommended for this cluster: ${risks} Take the risk with --allow-not-recommended, or choose another update.`,
        );
  }
  if (status?.desired !== undefined && isIt(status.desired)) return staying(version, allowed);
  if (wish.to === "version")
    return refused(
      `${wish.version} is none of the updates that are offered (${listOf(available)}). Choose one of them, or name its image with --to-image and --allow-explicit-upgrade.`,
    );
  return allowed.explicit
    ? toRelease(
        version,
        { version: "", image: wish.image },
        {
          allowed,
          warnings: [`Nobody offers ${wish.image}, so nobody has said whether it is recommended.`],
        },
      )
    : refused(
        `${wish.image} is the image of no update that is offered (${listOf(available)}). Add --allow-explicit-upgrade if it is meant all the same.`,
      );
}

const listOf = (releases: readonly { readonly version: string }[]): string =>
  releases.length === 0 ? "there are none" : releases.map(({ version }) => version).join(", ");

type Risky = NonNullable<NonNullable<Version["status"]>["conditionalUpdates"]>[number];

/** The reason why an update is not recommended, in the words of its verdict; before there is one, in those of its risks. */
export function riskText({ risks, conditions }: Risky): string {
  const said = conditions?.find(({ type }) => type === "Recommended");
  const named = risks.map(({ name }) => name).join(", ");
  const reason =
    said === undefined ? `risk ${named}, not judged yet` : `risk ${said.reason === "" ? named : said.reason}`;
  const message = said?.message ?? risks.map((risk) => `${risk.message} ${risk.url}`).join(" ");
  return `${reason}: ${message.replaceAll(/\s+/g, " ").trim()}`;
}

interface Release {
  readonly version: string;
  readonly image: string;
}

function toRelease(
  cluster: Version,
  { version, image }: Release,
  { allowed, warnings }: { readonly allowed: Allowed; readonly warnings: readonly string[] },
): Outcome {
  const { spec, status } = cluster;
  const asked = spec.desiredUpdate;
  const name = version === "" ? image : version;
  const same = (asked?.version ?? "") === version && (asked?.image ?? "") === image;
  if (same && (asked?.force ?? false) === allowed.force) return nothing(`${name} is asked for already.`);
  return {
    outcome: "write",
    // A merge patch would leave what is not named: an image of the former request beside a new version.
    spec: {
      desiredUpdate: {
        version: version === "" ? null : version,
        image,
        force: allowed.force ? true : null,
        architecture: null,
        mode: null,
      },
    },
    said: `Asked for ${name}${version === "" ? "" : ` (${image})`}.`,
    warnings: [
      ...warnings,
      ...(underWay(cluster)
        ? [`The update to ${status?.desired.version ?? "another release"} that is under way is left.`]
        : []),
      ...(allowed.force ? ["By force: neither its signature nor any precondition holds it up."] : []),
    ],
  };
}

/** The cluster is at it, or moves to it: a request for another one is taken back. */
function staying(version: Version, allowed: Allowed): Outcome {
  const { desired } = version.status ?? {};
  const asked = version.spec.desiredUpdate;
  const name = desired?.version ?? "";
  if (desired === undefined || asked === undefined || asked.version === name || asked.image === desired.image)
    return nothing(`The cluster is at ${name}, or on its way there.`);
  return toRelease(version, desired, { allowed, warnings: [] });
}

const underWay = ({ status }: Version): boolean =>
  status?.history?.[0]?.state === "Partial" && status.history.length > 1;

function cleared(cluster: Version): Outcome {
  const { spec, status } = cluster;
  const asked = spec.desiredUpdate;
  if (asked === undefined) return nothing("No release is asked for.");
  const name = asked.version || asked.image || "what was asked for";
  const back = status?.history?.find(({ state }) => state === "Completed")?.version;
  const moving = underWay(cluster);
  return {
    outcome: "write",
    spec: { desiredUpdate: null },
    said: `Took back the request for ${name}${moving && back ? `: the cluster goes back to ${back}` : ""}.`,
    warnings: moving ? ["What the update has changed so far is not undone, it is applied over."] : [],
  };
}

/** The outcome of a wish for a channel in this cluster; the empty one takes it away. */
export function channelOutcome({ spec, status }: Version, channel: string, explicit: boolean): Outcome {
  const now = spec.channel ?? "";
  if (now === channel)
    return nothing(channel === "" ? "There is no channel." : `The channel is ${channel} already.`);
  const known = status?.desired.channels ?? [];
  if (channel !== "" && known.length > 0 && !known.includes(channel) && !explicit)
    return refused(
      `${channel} is none of the channels that the present release is in (${known.join(", ")}). Choose one of them, or add --allow-explicit-channel.`,
    );
  return {
    outcome: "write",
    spec: { channel: channel === "" ? null : channel },
    said:
      channel === ""
        ? `Took the channel ${now} away.`
        : `The channel is ${channel} now${now === "" ? "" : `, no longer ${now}`}.`,
    warnings: channel === "" ? ["Without a channel no updates are offered."] : [],
  };
}
