import type { KymaModule } from "../../kinds/index.ts";

/** The channel of a Kyma that names none. */
export const DEFAULT_CHANNEL = "regular";

/** A module as somebody wishes it: by a channel or by a version. */
export type Wish = Pick<KymaModule, "name" | "channel" | "version"> & {
  /** True where a policy says the version: users' leave to pin versions is not asked then. */
  readonly isVersionEnforced?: boolean | undefined;
};

/** A wish that contradicts itself, and how to mend it. */
export interface WishFault {
  readonly reason: "ChannelIsNone" | "ChannelAndVersion" | "VersionNotPermitted";
  readonly message: string;
}
/** The track that a module follows. */
export type Track = { readonly channel: string } | { readonly version: string };

/** True for the word that upstream reserves: no channel has this name, in any case. */
export const isNoChannel = (channel: string): boolean => channel.toLowerCase() === "none";

/** True for a text that a channel may be called. */
export const isChannel = (text: string): boolean => /^[a-z]{3,32}$/.test(text) && !isNoChannel(text);

/** The track of a module: the version that it is pinned to, else its own channel, else that of its Kyma. */
export function trackOf(
  { channel, version, isVersionEnforced = false }: Wish,
  kymaChannel: string | undefined,
  { versions }: { readonly versions: boolean },
): Track | WishFault {
  if (version && channel)
    return {
      reason: "ChannelAndVersion",
      message: `Channel ${channel} and version ${version} are both named: take one of them out.`,
    };
  if (version && !versions && !isVersionEnforced)
    return {
      reason: "VersionNotPermitted",
      message: `Version ${version} is named, but modules follow channels here: name a channel, or ask for versions to be permitted.`,
    };
  if (version) return { version };
  const chosen = channel || kymaChannel || DEFAULT_CHANNEL;
  return isNoChannel(chosen)
    ? { reason: "ChannelIsNone", message: `"${chosen}" is no channel: name one that the module has.` }
    : { channel: chosen };
}
