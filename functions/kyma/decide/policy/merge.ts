import type { KymaModule, KymaSpec } from "../../kinds/index.ts";
import { allowedChannel, type EffectiveModule, effectiveModule } from "./effective-module.ts";
import type { Override } from "./overrides.ts";
import type { Rules } from "./rules.ts";
import { accept, type Rejection } from "./user.ts";

/** The modules of a Kyma as they are to be, and how that differs from what its user wants. */
export interface Effective {
  readonly channel: string;
  readonly skipMaintenanceWindows: boolean;
  readonly modules: readonly EffectiveModule[];
  /** Modules that are listed and denied by a policy: they go after a grace. */
  readonly denied: readonly KymaModule[];
  readonly overrides: readonly Override[];
  /** The parts of the user's spec that do not count. */
  readonly rejections: readonly Rejection[];
  /** The part of the user's wishes that counts: next time the one that was accepted last. Undefined: the user never said any. */
  readonly accepted: KymaSpec | undefined;
}

/** Everything that decides which modules a Kyma has. */
export interface Sources {
  /** The control plane's own spec: what a Kyma begins with. */
  readonly defaults: KymaSpec;
  /** The user's spec; undefined: there is none yet, or it was deleted. */
  readonly user: KymaSpec | undefined;
  /** The part of the user's wishes that was accepted last. */
  readonly accepted: KymaSpec | undefined;
  readonly rules: Rules;
}

/** The modules of a Kyma: defaults, its user's wishes, policies. What stands further right wins. */
export function merge({ defaults, user, accepted: last, rules }: Sources): Effective {
  const { spec: accepted, rejections } =
    user === undefined ? { spec: last, rejections: [] } : accept(user, last, defaults, rules);
  const wished = accepted ?? beginning(defaults, rules);
  const { channel, override } = allowedChannel(wished.channel, defaults.channel, rules.channels);
  const listed = new Map(wished.modules?.map((module) => [module.name, module]));
  const denied = [...listed.values()].filter(({ name }) => rules.denied.has(name));
  const modules = [...new Set([...listed.keys(), ...rules.enforced.keys()])]
    .filter((name) => !rules.denied.has(name))
    .map((name) => effectiveModule(name, listed.get(name), channel, rules));
  return {
    channel,
    skipMaintenanceWindows: wished.skipMaintenanceWindows ?? defaults.skipMaintenanceWindows ?? false,
    modules: modules.map(({ module }) => module),
    denied,
    overrides: [
      ...(override === undefined ? [] : [{ module: undefined, ...override }]),
      ...denied.map(
        ({ name }): Override => ({
          module: name,
          field: "module",
          reason: "Denied",
          policy: rules.denied.get(name)?.policy ?? "",
          wanted: name,
          used: undefined,
        }),
      ),
      ...modules.flatMap(({ overrides }) => overrides),
    ],
    rejections,
    accepted,
  };
}

/** The spec that a Kyma begins with: the control plane's, and the modules of policies that it does not list. */
export const beginning = (spec: KymaSpec, { defaults: more }: Pick<Rules, "defaults">): KymaSpec => {
  const own = spec.modules ?? [];
  return { ...spec, modules: [...own, ...more.filter(({ name }) => own.every((one) => one.name !== name))] };
};
