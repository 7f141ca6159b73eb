import { compare } from "../../../../shared/kube/objects.ts";
import type { EnforcedModule, KymaModule, KymaPolicySpec } from "../../kinds/index.ts";
import { selects } from "./selectors.ts";

/** The accepted rules of a policy. */
export interface Policy {
  readonly name: string;
  readonly rules: KymaPolicySpec;
}
/** A rule with the policy that it comes from. */
export interface By<T> {
  readonly policy: string;
  readonly value: T;
}
/** The channels that users may choose. */
export interface AllowedChannels {
  /** At least one. */
  readonly value: readonly string[];
  /** The rules that say so, those of the highest rank first. */
  readonly lists: readonly By<readonly string[]>[];
}
/** The rules of all policies for one Kyma. */
export interface Rules {
  readonly enforced: ReadonlyMap<string, By<EnforcedModule>>;
  readonly denied: ReadonlyMap<string, By<string>>;
  /** The channels that users may choose, in the order of the policy of the highest rank; undefined: any. */
  readonly channels: AllowedChannels | undefined;
  readonly maxModules: By<number> | undefined;
  /** Modules to begin with. */
  readonly defaults: readonly KymaModule[];
}

/** The rules for a Kyma with these labels. */
export function rulesFor(labels: Readonly<Record<string, string>>, policies: readonly Policy[]): Rules {
  const mine = policies
    .filter(({ rules }) => selects(rules.selector, labels))
    .sort((one, other) => other.rules.rank - one.rules.rank || compare(one.name, other.name));
  const enforced = firstOf(mine, ({ enforce = [] }) => enforce.map((value) => [value.module, value]));
  // An enforcement of the same rank is not beaten: which of the two came first was decided when they were accepted.
  const denied = firstOf(mine, ({ deny = [], rank }) =>
    deny
      .filter((module) => !mine.some((other) => other.rules.rank === rank && enforces(other, module)))
      .map((module) => [module, module]),
  );
  for (const module of denied.keys()) enforced.delete(module);
  const defaults = firstOf(mine, ({ defaults = [] }) => defaults.map((value) => [value.module, value]));
  return {
    enforced,
    denied,
    channels: channelsOf(mine),
    maxModules: mine
      .flatMap(({ name, rules: { maxModules } }) =>
        maxModules === undefined ? [] : [{ policy: name, value: maxModules }],
      )
      .sort((one, other) => one.value - other.value)[0],
    defaults: [...defaults.values()].map(({ value: { module, ...rest } }) => ({
      name: module,
      managed: true,
      ...rest,
    })),
  };
}

const enforces = ({ rules }: Policy, module: string): boolean =>
  rules.enforce?.some((one) => one.module === module) ?? false;

/** The first rule about each module. */
function firstOf<T>(
  policies: readonly Policy[],
  entries: (rules: KymaPolicySpec) => readonly (readonly [module: string, value: T])[],
): Map<string, By<T>> {
  const found = new Map<string, By<T>>();
  for (const { name, rules } of policies)
    for (const [module, value] of entries(rules))
      if (!found.has(module)) found.set(module, { policy: name, value });
  return found;
}

/** The channels that policies allow. One that would leave none of those of higher rank is not heard. */
function channelsOf(policies: readonly Policy[]): AllowedChannels | undefined {
  const lists = policies.flatMap(({ name, rules: { allowChannels } }) =>
    allowChannels === undefined ? [] : [{ policy: name, value: allowChannels }],
  );
  const [first, ...others] = lists;
  if (first === undefined) return undefined;
  return others.reduce<AllowedChannels>(
    ({ value, lists: heard }, list) => {
      const both = value.filter((channel) => list.value.includes(channel));
      return both.length === 0 ? { value, lists: heard } : { value: both, lists: [...heard, list] };
    },
    { value: first.value, lists: [first] },
  );
}
