import type * as z from "zod";
import { nearest } from "../../events/nearest.ts";
import type { System } from "../../shared/function/system.ts";
import { settingsFromEnvironment } from "./environment.ts";
import { faultText, type SettingFault, SettingsError } from "./errors.ts";
import { readSettingsFile, type SettingsFile } from "./file.ts";
import { outlineOf, type Setting, type SettingPath, variableOf } from "./outline.ts";
import { type Settings, settingsSchema } from "./schema.ts";
import { isTree, put, type Tree, valueAt, valuesIn } from "./tree.ts";

/** A flag of the command line that sets something: it counts more than variable and file. */
export interface FlagValue {
  readonly path: SettingPath;
  readonly value: unknown;
  /** `--systems`. */
  readonly flag: string;
}

export interface SettingsSources {
  /** `--config`; else `REVEILLE_CONFIG` names it. */
  readonly file?: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
  readonly flags?: readonly FlagValue[];
}

/** The systems and modules to load, and the source that names them. */
export interface Selected {
  readonly systems: readonly string[] | undefined;
  readonly functions: readonly string[];
  placeOf(path: SettingPath): string;
}

/** Settings that fit, and where each came from. */
export interface EffectiveSettings<Loaded> {
  readonly settings: Settings;
  /** The result of `load`: the systems that the settings select. */
  readonly loaded: Loaded;
  readonly outline: readonly Setting[];
  /** The settings as they were given, before defaults. */
  readonly given: Tree;
  /** `reveille.yaml:12`, a variable's name, a flag; undefined where nobody gave it. */
  placeOf(path: SettingPath): string | undefined;
}

/**
 * Reads file, environment and flags, the later ones before the earlier ones, and checks them by the one schema. The systems
 * that they select are loaded on the way, since their configuration is part of it.
 * @throws SettingsError with the place of every fault
 */
export async function readSettings<Loaded extends { readonly systems: readonly System[] }>(
  sources: SettingsSources,
  load: (selection: Selected) => Promise<Loaded>,
): Promise<EffectiveSettings<Loaded>> {
  const name = sources.file ?? sources.environment.REVEILLE_CONFIG;
  const file = name === undefined || name === "" ? undefined : readSettingsFile(name);
  const before = new Merged(sources, file, outlineOf(settingsSchema([])), true);
  const placeOf = (path: SettingPath): string => before.placeOf(path) ?? variableOf(path);
  let loaded: Loaded;
  try {
    // Of these two depends what is loaded.
    const { systems, functions } = before.check(settingsSchema([]).pick({ systems: true, functions: true }), [
      "systems",
      "functions",
    ]);
    loaded = await load({ systems, functions, placeOf });
  } catch (thrown) {
    if (!(thrown instanceof SettingsError)) throw thrown;
    // Whatever else is wrong is said at the same time, but for the systems' own settings: which there are is not known.
    const others = before.faults(settingsSchema([])).filter(({ path }) => !/^configuration(\.|$)/.test(path));
    const once = new Map([...thrown.faults, ...others].map((fault) => [faultText(fault), fault]));
    throw new SettingsError([...once.values()], thrown);
  }
  const schema = settingsSchema(loaded.systems);
  const outline = outlineOf(schema);
  const merged = new Merged(sources, file, outline, false);
  const settings = merged.check(schema);
  return {
    settings: {
      ...settings,
      configuration: isTree(merged.tree.configuration) ? merged.tree.configuration : {},
    },
    loaded,
    outline,
    given: merged.tree,
    placeOf: (path) => merged.placeOf(path),
  };
}

const isSame = (one: SettingPath, other: SettingPath): boolean => one.join("\n") === other.join("\n");

/** The settings of all sources, and the source of each. */
class Merged {
  readonly tree: Tree = {};
  readonly #places = new Map<string, string>();
  readonly #file: SettingsFile | undefined;
  readonly #outline: readonly Setting[];
  /** The faults of the sources themselves. */
  readonly #faults: readonly SettingFault[];

  constructor(
    { environment, flags = [] }: SettingsSources,
    file: SettingsFile | undefined,
    outline: readonly Setting[],
    configurationIsOpen: boolean,
  ) {
    this.#file = file;
    this.#outline = outline;
    const open = `${variableOf(["configuration"])}_`;
    const isOpen = (variable: string): boolean => configurationIsOpen && variable.startsWith(open);
    if (file !== undefined) this.#take([], file.tree, (path) => file.placeOf(path));
    const { values, faults } = settingsFromEnvironment(environment, outline, isOpen);
    this.#faults = [...(file?.faults ?? []), ...faults];
    for (const { path, value, place } of values) this.#take(path, value, () => place);
    for (const { path, value, flag } of flags) this.#take(path, value, () => flag);
    this.#beginChosenBus();
  }

  /** The chosen bus is read even where nothing of it is given: what it needs must be missed. */
  #beginChosenBus(): void {
    const kind = valueAt(this.tree, ["bus", "kind"]);
    const path = ["bus", String(kind)];
    const isKnown = this.#outline.some((one) => one.type === "group" && isSame(one.path, path));
    if (isKnown && valueAt(this.tree, path) === undefined) put(this.tree, path, {});
  }

  #take(at: SettingPath, value: unknown, placeOf: (path: SettingPath) => string): void {
    for (const [path, one] of valuesIn(value, at)) {
      if (path.length === 0) continue;
      put(this.tree, path, one);
      this.#places.set(path.join("\n"), placeOf(path));
    }
  }

  /** The place of the value, or of the nearest group around it or value in it that somebody gave. */
  placeOf(path: SettingPath): string | undefined {
    if (valueAt(this.tree, path) === undefined) return undefined;
    for (let length = path.length; length > 0; length--) {
      const place = this.#places.get(path.slice(0, length).join("\n"));
      if (place !== undefined) return place;
    }
    const below = `${path.join("\n")}\n`;
    for (const [key, place] of this.#places) if (key.startsWith(below)) return place;
    return undefined;
  }

  /** The parsed settings. Throws a `SettingsError`. */
  check<Schema extends z.ZodType>(schema: Schema, only?: readonly string[]): z.output<Schema> {
    const tree =
      only === undefined
        ? this.tree
        : Object.fromEntries(only.flatMap((name) => (name in this.tree ? [[name, this.tree[name]]] : [])));
    const result = schema.safeParse(tree);
    const whole = only === undefined ? [...this.#faults, ...this.#unknown()] : [];
    if (result.success && whole.length === 0) return result.data;
    throw new SettingsError([...whole, ...this.#faultsOf(result.error)]);
  }

  /** All that is wrong; nothing where all fits. */
  faults(schema: z.ZodType): readonly SettingFault[] {
    return [...this.#faults, ...this.#unknown(), ...this.#faultsOf(schema.safeParse(this.tree).error)];
  }

  #faultsOf(error: z.ZodError | undefined): readonly SettingFault[] {
    return (error?.issues ?? []).map(({ code, path, message }) => {
      const at = path.map(String);
      const isMissing = code === "invalid_type" && valueAt(this.tree, at) === undefined;
      if (isMissing) return this.#fault(at, `it is missing; its variable is ${variableOf(at)}`);
      // Of a choice between values zod says no more than that it is invalid.
      const choices =
        code === "invalid_union" ? this.#outline.find((one) => isSame(one.path, at))?.choices : undefined;
      return this.#fault(at, choices === undefined ? message : `choose from ${choices.join(", ")}`);
    });
  }

  #fault(path: SettingPath, message: string): SettingFault {
    const place = this.placeOf(path) ?? this.#nearestGiven(path);
    return { path: path.join("."), place, message };
  }

  /** The place at which a missing setting would belong. */
  #nearestGiven(path: SettingPath): string {
    for (let length = path.length - 1; length > 0; length--) {
      const place = this.placeOf(path.slice(0, length));
      if (place !== undefined) return place;
    }
    return this.#file?.placeOf(path) ?? variableOf(path);
  }

  *#unknown(): Generator<SettingFault> {
    const groups = new Map(this.#outline.map((setting) => [setting.path.join("\n"), setting]));
    const roots = this.#outline.filter(({ path }) => path.length === 1).map(({ path }) => path[0] ?? "");
    const visit = function* (tree: Tree, path: SettingPath): Generator<SettingPath> {
      const names = path.length === 0 ? roots : groups.get(path.join("\n"))?.names;
      for (const [name, value] of Object.entries(tree)) {
        if (names === undefined) return;
        if (!names.includes(name)) yield [...path, name];
        else if (isTree(value)) yield* visit(value, [...path, name]);
      }
    };
    for (const path of visit(this.tree, [])) {
      const names = path.length === 1 ? roots : (groups.get(path.slice(0, -1).join("\n"))?.names ?? []);
      const meant = nearest(path.at(-1) ?? "", names);
      const hint =
        meant === undefined ? `there are ${names.join(", ") || "none here"}` : `did you mean ${meant}?`;
      yield this.#fault(path, `there is no such setting; ${hint}`);
    }
  }
}
