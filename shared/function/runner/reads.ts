import type { KubeClient, ListOptions, ListPage } from "../../kube/client.ts";
import { type AnyObject, type Kind, resourceOf } from "../../kube/kind.ts";
import { isNewer, type KubeObject } from "../../kube/object.ts";
import { parseObject } from "../../kube/read.ts";
import type { Reader, Verb } from "../declaration.ts";
import { subjectOf } from "../key.ts";
import type { Right } from "../rights.ts";
import { DeclarationError } from "../system.ts";
import type { Recorder } from "./recorder.ts";

interface Where {
  readonly namespace?: string;
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly ownedBy?: AnyObject;
}

/** The pages of a list; of a whole cluster of which only some namespaces are served, of each of these. */
export async function* pagesIn(
  client: KubeClient,
  kind: Kind,
  namespace: string | undefined,
  served: readonly string[] | undefined,
  options: Omit<ListOptions, "namespace">,
): AsyncGenerator<ListPage> {
  const places =
    namespace === undefined && kind.scope === "Namespaced" ? (served ?? [undefined]) : [namespace];
  for (const place of places) yield* client.pages(resourceOf(kind), { ...options, namespace: place });
}

/** Where one run reads an object twice, its writes are guarded by the older version: the decision may rest on either. */
function rememberRead(known: Map<string, KubeObject>, subject: string, raw: KubeObject): void {
  const before = known.get(subject)?.metadata.resourceVersion;
  const now = raw.metadata.resourceVersion;
  if (before !== undefined && now !== undefined && !isNewer(before, now)) return;
  known.set(subject, raw);
}

/** The reads of one run: of declared kinds only, fresh, recorded. */
export function createReader(of: {
  readonly function: string;
  readonly client: KubeClient;
  readonly rights: ReadonlyMap<string, Right>;
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
  readonly known: Map<string, KubeObject>;
  /** Absent: the whole cluster. */
  readonly namespaces?: readonly string[] | undefined;
}): Reader<string> {
  const check = (kind: Kind, verb: Verb): void => {
    const right = of.rights.get(`${kind.group}/${kind.kind}`);
    if (right?.reads === true && !right.verbs.has(verb))
      throw new DeclarationError(
        "UNDECLARED_READ",
        `${of.function} does not declare to ${verb} ${kind.id}: add "${verb}" to its verbs for this kind.`,
      );
    if (right?.reads !== true)
      throw new DeclarationError(
        "UNDECLARED_READ",
        `${of.function} reads ${kind.id}, which it does not declare: add changed(${kind.id}) to its wakes, or unwatched(${kind.id}, "why") to its reads.`,
      );
  };
  const get = async (
    kind: Kind,
    at: { readonly name: string; readonly namespace?: string | undefined },
  ): Promise<AnyObject | undefined> => {
    check(kind, "get");
    const raw = await of.client.get(resourceOf(kind), at, { signal: of.signal });
    const subject = subjectOf(kind, at);
    of.recorder.read({ subject, uid: raw?.metadata.uid, resourceVersion: raw?.metadata.resourceVersion });
    if (raw === undefined) return undefined;
    rememberRead(of.known, subject, raw);
    return parseObject(kind, raw);
  };
  const list = async (kind: Kind, where: Where = {}): Promise<readonly AnyObject[]> => {
    check(kind, "list");
    const selected = where.labels !== undefined || where.name !== undefined || where.ownedBy !== undefined;
    of.recorder.listed(subjectOf(kind, { namespace: where.namespace, name: "*" }), selected);
    const labelSelector =
      where.labels === undefined
        ? undefined
        : Object.entries(where.labels)
            .map(([name, value]) => `${name}=${value}`)
            .join(",");
    const found: AnyObject[] = [];
    const fieldSelector = where.name === undefined ? undefined : `metadata.name=${where.name}`;
    const options = { labelSelector, fieldSelector, signal: of.signal };
    for await (const page of pagesIn(of.client, kind, where.namespace, of.namespaces, options)) {
      for (const raw of page.items) {
        if (
          where.ownedBy !== undefined &&
          !raw.metadata.ownerReferences?.some(({ uid }) => uid === where.ownedBy?.metadata.uid)
        )
          continue;
        rememberRead(of.known, subjectOf(kind, raw.metadata), raw);
        found.push(parseObject(kind, raw));
      }
    }
    return found;
  };
  // A function may start several reads and stop at the first that fails: the others' errors are its errors too, and no reason
  // to end the host. Whoever awaits them still gets them.
  const looked = <T>(reading: Promise<T>): Promise<T> => {
    reading.catch(() => undefined);
    return reading;
  };
  // The reader's types are checked where functions are declared; here every kind is just a kind.
  return {
    get: (...of: Parameters<typeof get>) => looked(get(...of)),
    list: (...of: Parameters<typeof list>) => looked(list(...of)),
  } as Reader<string>;
}
