import type { CommandObject } from "../../../events/index.ts";
import { UsageError } from "../../../shared/function/command-errors.ts";
import type { KnownKind } from "../../systems/declared.ts";
import { kindsNamed } from "../why/resolve.ts";

/** The kind that a word means: its name, plural, singular or short name, with or without its group. Throws a `UsageError`. */
export function kindMeant(word: string, kinds: readonly KnownKind[]): KnownKind {
  const [kind, ...more] = kindsNamed(word.toLowerCase(), kinds);
  if (kind === undefined)
    throw new UsageError(
      `No function knows the kind "${word}"; they know ${kinds
        .map((one) => one.kind)
        .sort()
        .join(", ")}.`,
    );
  if (more.length > 0)
    throw new UsageError(
      `"${word}" may be ${[kind, ...more].map((one) => `${one.kind}.${one.group}`).join(" or ")}: write it so.`,
    );
  return kind;
}

/** The object that `KIND/NAME` means. Throws a `UsageError`. */
export function objectMeant(
  text: string,
  namespace: string | undefined,
  kinds: readonly KnownKind[],
): CommandObject {
  const slash = text.indexOf("/");
  if (slash <= 0 || slash === text.length - 1)
    throw new UsageError(`"${text}" names no object: write KIND/NAME, for example Deployment/web.`);
  const { group, kind, scope } = kindMeant(text.slice(0, slash), kinds);
  const name = text.slice(slash + 1);
  return scope === "Cluster"
    ? { group, kind, name }
    : { group, kind, namespace: namespace ?? "default", name };
}
