import type { Setting, SettingPath } from "./outline.ts";
import type { EffectiveSettings } from "./read.ts";
import { valueAt } from "./tree.ts";

/** One setting as it counts. */
export interface ShownSetting {
  readonly setting: string;
  /** Undefined where it has none. */
  readonly value: unknown;
  /** `reveille.yaml:12`, a variable's name, a flag, or `default`. */
  readonly from: string;
}

const SEALED = "(sealed)";

/** All settings that have a value, with where it came from; secrets are sealed. */
export function shownSettings(effective: EffectiveSettings<unknown>): readonly ShownSetting[] {
  return effective.outline
    .filter((setting) => setting.type !== "group" || setting.names === undefined)
    .flatMap((setting): ShownSetting[] => {
      const given = valueAt(effective.given, setting.path);
      const value =
        given ?? (isInUse(setting, effective) ? fallbackOf(setting, effective.outline) : undefined);
      if (value === undefined) return [];
      return [
        {
          setting: setting.path.join("."),
          value: setting.secret ? SEALED : sealed(value),
          from: effective.placeOf(setting.path) ?? "default",
        },
      ];
    });
}

/** False within a group that nobody gave and that has no default: another bus, an option that is not taken. */
const isInUse = ({ path }: Setting, { outline, given }: EffectiveSettings<unknown>): boolean =>
  path.every((_, length) => {
    const group = path.slice(0, length);
    return (
      length === 0 || valueAt(given, group) !== undefined || groupAt(outline, group)?.fallback !== undefined
    );
  });

/** The setting's own default, or its part of the default of a group around it. */
function fallbackOf(setting: Setting, outline: readonly Setting[]): unknown {
  if (setting.fallback !== undefined) return setting.fallback;
  for (let length = setting.path.length - 1; length > 0; length--) {
    const group = groupAt(outline, setting.path.slice(0, length));
    const value = valueAt(group?.fallback, setting.path.slice(length));
    if (value !== undefined) return value;
  }
  return undefined;
}

const groupAt = (outline: readonly Setting[], path: SettingPath): Setting | undefined =>
  outline.find((one) => one.path.join("\n") === path.join("\n"));

/** Credentials within an address: `nats://user:password@host`. */
function sealed(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/(?<=:\/\/)[^/@\s]+(?=@)/g, SEALED);
  if (Array.isArray(value)) return value.map(sealed);
  return value;
}
