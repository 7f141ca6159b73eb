import type { KymaModule, KymaSpec } from "../../kinds/index.ts";
import { isChannel } from "../resolution/index.ts";
import type { Rules } from "./rules.ts";

/** A part of what a user asked for that is not accepted. */
export interface Rejection {
  /** The place in the spec: `modules[mesh-core].channel`. */
  readonly path: string;
  readonly message: string;
}
/** The part of a user's wishes that counts. */
export interface Accepted {
  readonly spec: KymaSpec;
  readonly rejections: readonly Rejection[];
}

const channelFault = (channel: string): string | undefined =>
  isChannel(channel) ? undefined : `"${channel}" is no channel: name one that the catalog has.`;

/** The part of a user's wishes that counts: in place of what is wrong, the value that was accepted last. */
export function accept(
  user: KymaSpec,
  last: KymaSpec | undefined,
  fallback: Pick<KymaSpec, "channel">,
  { enforced, denied, maxModules }: Pick<Rules, "enforced" | "denied" | "maxModules">,
): Accepted {
  const rejections: Rejection[] = [];
  const refuse = (path: string, message: string): void => void rejections.push({ path, message });
  const before = new Map(last?.modules?.map((module) => [module.name, module]));
  const wrongChannel = channelFault(user.channel);
  if (wrongChannel !== undefined) refuse("channel", wrongChannel);

  const modules = new Map<string, KymaModule>();
  for (const module of user.modules ?? []) {
    const path = `modules[${module.name}]`;
    if (modules.has(module.name)) {
      refuse(path, "It is listed twice: the first entry counts.");
      continue;
    }
    const fault = moduleFault(module);
    if (fault !== undefined) refuse(`${path}${fault.field}`, fault.message);
    const counts = fault === undefined ? module : before.get(module.name);
    if (counts !== undefined) modules.set(module.name, counts);
  }
  const counted = [...modules.keys()].filter((name) => !enforced.has(name) && !denied.has(name));
  const isNew = (name: string): boolean => !before.has(name);
  const room =
    (maxModules?.value ?? Number.POSITIVE_INFINITY) - counted.filter((name) => !isNew(name)).length;
  for (const name of counted.filter(isNew).slice(Math.max(room, 0))) {
    modules.delete(name);
    refuse(
      `modules[${name}]`,
      `The policy ${maxModules?.policy} allows ${maxModules?.value} modules: take another one out first.`,
    );
  }
  for (const [name, { policy }] of enforced) {
    const removed = before.get(name);
    if (removed === undefined || modules.has(name)) continue;
    modules.set(name, removed);
    refuse(`modules[${name}]`, `It was taken out, but the policy ${policy} keeps it installed.`);
  }
  const { channel: _channel, modules: _modules, ...rest } = user;
  const channel = wrongChannel === undefined ? user.channel : (last?.channel ?? fallback.channel);
  return { spec: { ...rest, channel, modules: [...modules.values()] }, rejections };
}

function moduleFault({
  name,
  channel,
  version,
}: KymaModule): { readonly field: string; readonly message: string } | undefined {
  if (name === "") return { field: ".name", message: "It has no name: write the module's." };
  if (channel && version)
    return { field: ".version", message: "A channel and a version are both named: take one of them out." };
  const wrong = channel ? channelFault(channel) : undefined;
  return wrong === undefined ? undefined : { field: ".channel", message: wrong };
}
