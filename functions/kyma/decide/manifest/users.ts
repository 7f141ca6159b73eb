import { type SlotPlace, unreadableIn } from "../../../../shared/function/index.ts";
import { fieldOf, textOf } from "../../../../shared/json/fields.ts";
import { KubeError } from "../../../../shared/kube/errors.ts";
import { apiVersionOf, parseApiVersion } from "../../../../shared/kube/object.ts";
import { GROUPS } from "./groups.ts";
import { namedOf } from "./named.ts";
import { servedVersions } from "./objects.ts";
import type { Live, Named } from "./world.ts";

type Kinded = Pick<SlotPlace, "apiVersion" | "kind">;
/** Reads the objects of one kind in the runtime. Throws where the server does not say which there are. */
export type ReadObjects = (of: Kinded) => Promise<readonly Live[]>;

/** The kind of definitions of kinds. */
export const DEFINITIONS: Kinded = {
  apiVersion: `${GROUPS.definitions}/v1`,
  kind: "CustomResourceDefinition",
};

/** The objects of a kind, the ones that cannot be read too. */
export interface Users {
  readonly readable: readonly Live[];
  readonly unreadable: readonly Named[];
}
const NONE: Users = { readable: [], unreadable: [] };

/**
 * The objects of a kind, of whichever version: none only where the server says that there are none, or that there is no such kind. A list
 * that failed throws.
 */
export async function usersOf(of: Kinded, read: ReadObjects): Promise<Users> {
  const inVersion = await ifKnown(of, read);
  if (inVersion !== undefined) return inVersion;
  const apiVersion = await otherVersionOf(of, () => read(DEFINITIONS));
  if (apiVersion === undefined) return NONE;
  const found = await ifKnown({ apiVersion, kind: of.kind }, read);
  if (found !== undefined) return found;
  throw unserved(of);
}

/**
 * The API version in which a kind is served that is not served in the one that is asked about; undefined only where there is no such kind.
 * Throws where nobody can tell.
 */
export async function otherVersionOf(
  of: Kinded,
  read: () => Promise<readonly Live[]>,
): Promise<string | undefined> {
  const { group } = parseApiVersion(of.apiVersion);
  const definitions = await read();
  const definition = definitions.find(
    ({ spec }) => fieldOf(spec, "group") === group && fieldOf(fieldOf(spec, "names"), "kind") === of.kind,
  );
  if (definition === undefined && unreadableIn(definitions).length === 0) return undefined;
  const [version] = definition === undefined ? [] : servedVersions(definition);
  if (version === undefined) throw unserved(of);
  return apiVersionOf({ group, version });
}

const unserved = ({ kind }: Kinded): KubeError =>
  new KubeError(
    "unavailable",
    `Nobody can tell whether there are objects of the kind ${kind}: no version of it is served.`,
    { request: `list ${kind}` },
  );

/** The objects of the kind that a definition defines. */
export async function usersOfDefinition(definition: Live, read: ReadObjects): Promise<Users> {
  const group = textOf(fieldOf(definition.spec, "group"));
  const kind = textOf(fieldOf(fieldOf(definition.spec, "names"), "kind"));
  const [version = ""] = servedVersions(definition);
  return usersOf({ apiVersion: apiVersionOf({ group, version }), kind }, read);
}

/** Undefined where the server does not know the kind in that version. */
async function ifKnown(of: Kinded, read: ReadObjects): Promise<Users | undefined> {
  try {
    const readable = await read(of);
    const unreadable = unreadableIn(readable).map(({ object }) => ({ ...of, ...object }));
    return { readable, unreadable };
  } catch (error) {
    if (error instanceof KubeError && error.kind === "kindMissing") return undefined;
    throw error;
  }
}

/** The objects of a kind as they are named. */
export const namesOf = ({ readable, unreadable }: Users): readonly Named[] => [
  ...readable.map(namedOf),
  ...unreadable,
];
