import type { KymaModule } from "../../kinds/index.ts";
import type { Override } from "./overrides.ts";
import type { AllowedChannels, Rules } from "./rules.ts";

/** A module as it is to be. */
export type EffectiveModule = KymaModule & {
  /** True where a policy permits it to go back to an older version. */
  readonly allowDowngrade: boolean;
  /** True where a policy says the version. */
  readonly isVersionEnforced?: true;
};

/** A module as it is to be, and the fields in which that is not what its user wants. */
export function effectiveModule(
  name: string,
  wish: KymaModule | undefined,
  kymaChannel: string,
  { enforced, channels }: Pick<Rules, "enforced" | "channels">,
): { readonly module: EffectiveModule; readonly overrides: readonly Override[] } {
  const rule = enforced.get(name);
  const decided = rule?.value;
  const wished = wish ?? { name, managed: true, customResourcePolicy: "CreateAndDelete" };
  const isTracked = decided?.channel !== undefined || decided?.version !== undefined;
  const permitted =
    !isTracked && wished.channel ? allowedChannel(wished.channel, kymaChannel, channels) : undefined;
  const channel = isTracked ? decided.channel : permitted?.channel;
  const version = isTracked ? decided.version : wished.version;
  const { channel: _channel, version: _version, ...rest } = wished;
  const module: EffectiveModule = {
    ...rest,
    ...(channel !== undefined && { channel }),
    ...(version !== undefined && { version }),
    customResourcePolicy: decided?.customResourcePolicy ?? wished.customResourcePolicy,
    managed: decided?.managed ?? wished.managed,
    allowDowngrade: decided?.allowDowngrade ?? false,
    ...(decided?.version !== undefined && { isVersionEnforced: true }),
  };
  const overrides: Override[] =
    permitted?.override === undefined ? [] : [{ module: name, ...permitted.override }];
  if (rule === undefined) return { module, overrides };
  const told = { module: name, reason: "Enforced", policy: rule.policy } as const;
  if (wish === undefined)
    return { module, overrides: [{ ...told, field: "module", wanted: undefined, used: name }] };
  // Who names neither wants the Kyma's channel.
  const wantedChannel = wish.version ? undefined : wish.channel || kymaChannel;
  const fields = [
    ...(isTracked
      ? [["channel", wantedChannel, channel] as const, ["version", wish.version, version] as const]
      : []),
    ["customResourcePolicy", wish.customResourcePolicy, module.customResourcePolicy] as const,
    ["managed", `${wish.managed}`, `${module.managed}`] as const,
  ];
  for (const [field, wanted, used] of fields)
    if (wanted !== used) overrides.push({ ...told, field, wanted, used });
  return { module, overrides };
}

/** A channel that policies allow, and how that differs from the one that is wanted. */
export interface AllowedChannel {
  readonly channel: string;
  readonly override?: Omit<Override, "module">;
}
/** The channel that is used: the one that is wanted where policies allow it, else the usual one, else the first that they allow. */
export function allowedChannel(
  wanted: string,
  usual: string,
  allowed: AllowedChannels | undefined,
): AllowedChannel {
  if (allowed === undefined || allowed.value.includes(wanted)) return { channel: wanted };
  const { lists, value } = allowed;
  const policy = lists.find((list) => !list.value.includes(wanted))?.policy ?? "";
  const channel = value.includes(usual) ? usual : (value[0] ?? usual);
  return {
    channel,
    override: { field: "channel", reason: "ChannelNotAllowed", policy, wanted, used: channel },
  };
}
