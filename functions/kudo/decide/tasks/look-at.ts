import type { Obj, SlotPlace } from "../../../../shared/function/index.ts";
import { TerminalError } from "../../../../shared/function/index.ts";
import { type KubeObject, parseApiVersion } from "../../../../shared/kube/object.ts";
import type { Templated } from "../../kinds/index.ts";
import { present, successorOf } from "../served/index.ts";
import type { SeenObject } from "./seen.ts";

/** The reads of objects that templates bring. */
export interface ObjectReads {
  read(at: SlotPlace): Promise<Obj<typeof Templated> | undefined>;
  knows(
    what: Pick<SlotPlace, "apiVersion" | "kind">,
  ): Promise<{ readonly scope: "Namespaced" | "Cluster" | "Any" } | undefined>;
  /** True where kinds of that group may be admitted. */
  mayBring(group: string): boolean;
}

/** An object of a task. */
export interface Wanted {
  readonly object: KubeObject;
  /** The template that it came from. */
  readonly template?: string | undefined;
  readonly act: "apply" | "delete";
  /** True where it was never applied before, and nothing is decided on what there is of it. */
  readonly unread?: boolean | undefined;
}

/** Reads what there is of an object, in its present version where the server no longer has the one that is said. */
export async function lookAt(wanted: Wanted, namespace: string, reads: ObjectReads): Promise<SeenObject> {
  const { object, template } = wanted;
  const nothing = { object, template, scope: undefined, live: undefined };
  try {
    const known = await reads.knows(object);
    if (known !== undefined) return { template, ...(await found(wanted, object, known, namespace, reads)) };
    const successor = successorOf(object);
    if (successor === undefined)
      return { ...nothing, isForeign: !reads.mayBring(parseApiVersion(object.apiVersion).group) };
    const { apiVersion, gone } = successor;
    const { kind } = object;
    const now = apiVersion === undefined ? undefined : await reads.knows({ apiVersion, kind });
    // There can be none of it to take away.
    if (apiVersion === undefined || now === undefined)
      return wanted.act === "delete" ? nothing : { ...nothing, refused: vanished(wanted, apiVersion, gone) };
    const moved = wanted.act === "delete" ? { object: { ...object, apiVersion } } : present(object);
    if (moved === undefined || "homeless" in moved)
      return { ...nothing, refused: homeless(wanted, apiVersion, moved?.homeless) };
    return {
      template,
      ...(await found(wanted, moved.object, now, namespace, reads)),
      replaces: object.apiVersion,
    };
  } catch (error) {
    // What the configuration does not admit stops this plan, and no other key's.
    if (error instanceof TerminalError) return { ...nothing, refused: error.message };
    throw error;
  }
}

/** The kinds of which it counts what there is: a Job runs once, and a child has plans of its own. */
const LOOKED_AT: ReadonlySet<string> = new Set(["Job", "Instance"]);

async function found(
  { unread }: Wanted,
  object: KubeObject,
  known: { readonly scope: "Namespaced" | "Cluster" | "Any" },
  namespace: string,
  { read }: ObjectReads,
): Promise<Pick<SeenObject, "object" | "scope" | "live" | "unread">> {
  const { apiVersion, kind, metadata } = object;
  const scope = known.scope === "Cluster" ? "Cluster" : "Namespaced";
  if (unread === true && !LOOKED_AT.has(kind)) return { object, scope, live: undefined, unread };
  const at = { apiVersion, kind, name: metadata.name, ...(scope === "Namespaced" && { namespace }) };
  return { object, scope, live: await read(at) };
}

const said = ({ object: { kind, metadata }, template }: Wanted): string =>
  `${kind.toLowerCase()} ${metadata.name}${template === undefined ? "" : ` of template ${template}`}`;

const vanished = (wanted: Wanted, apiVersion: string | undefined, gone: string): string => {
  const { kind, apiVersion: old } = wanted.object;
  return apiVersion === undefined
    ? `${said(wanted)}: the API server no longer knows ${kind} of ${old}, which has no successor since Kubernetes ${gone}`
    : `${said(wanted)}: the API server knows ${kind} neither of ${old} nor of ${apiVersion}`;
};

const homeless = (wanted: Wanted, apiVersion: string, what = "it"): string =>
  `${said(wanted)}: the API server no longer knows ${wanted.object.kind} of ${wanted.object.apiVersion}, and ${apiVersion} has no place for ${what}`;
