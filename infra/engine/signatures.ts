import { hash } from "node:crypto";
import type { FunctionDeclaration } from "../../shared/function/declaration.ts";
import type { System } from "../../shared/function/system.ts";
import { configuredFunctions } from "../../shared/host/configuration.ts";
import type { Kind } from "../../shared/kube/kind.ts";
import { rightsOf } from "../../shared/runner/rights.ts";
import { watchListOf } from "../../shared/runner/watch-list-of.ts";

/** A digest of all that lets a function see or decide otherwise than before, by the function's name. */
export type Signatures = Readonly<Record<string, string>>;

export interface SignedParts {
  readonly systems: readonly System[];
  readonly configuration: Readonly<Record<string, unknown>> | undefined;
  /** The version of Reveille: what its functions call may differ with it. */
  readonly version: string;
  /** A digest of the files that a system was loaded from, by system; absent: the version says it all. */
  readonly sources?: Readonly<Record<string, string>> | undefined;
}

/**
 * The signatures of all functions: of what wakes them, the facts and kinds that they see, their configuration, the files that they come
 * from, and the version of Reveille. A break is a sweep: where one is another than before, all keys of the function are resynced.
 */
export function signaturesOf({ systems, configuration, version, sources = {} }: SignedParts): Signatures {
  const configured = configuredFunctions(systems, configuration);
  return Object.fromEntries(
    systems.flatMap((system) =>
      system.functions.map((declaration) => {
        const { configuration: parsed, admitted = new Map() } = configured.get(declaration) ?? {};
        const parts = [version, sources[system.name], wakesOf(declaration), parsed, [...admitted]];
        return [declaration.name, hash("sha256", JSON.stringify(parts), "base64url").slice(0, 16)];
      }),
    ),
  );
}

/** The names of the functions whose signature is another, or was not known. */
export const changedSince = (before: Signatures, now: Signatures): readonly string[] =>
  Object.keys(now).filter((name) => before[name] !== now[name]);

const nameOf = ({ group, kind }: Pick<Kind, "group" | "kind">): string => `${group}/${kind}`;

/** The function's key, its wakes, its reads and writes, and the facts that its watcher follows. */
function wakesOf(declaration: FunctionDeclaration): unknown {
  const { key, wakes, owns } = declaration;
  return [
    [key.by, nameOf(key.kind), key.fact, key.part, key.heeds],
    wakes.map((wake) => [
      wake.on,
      wake.source,
      wake.to,
      wake.same,
      String(wake.when),
      String(wake.name),
      String(wake.matches),
    ]),
    owns.map(nameOf),
    [...rightsOf(declaration).keys()].sort(),
    declaration.finalizer?.name,
    watchListOf([declaration]).kinds,
  ];
}
