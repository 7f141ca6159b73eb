import { hash } from "node:crypto";
import type { WrittenBody } from "../function/effects.ts";
import { TerminalError } from "../function/terminal-error.ts";
import { isRecord } from "../json/fields.ts";
import { sameJson } from "../json/same-json.ts";
import type { KubeObject, RawMetadata } from "../kube/object.ts";

/**
 * The whole object to put in the place of `live`, guarded by its uid and version. Finalizers and status are left to those whose they
 * are, and so is what the body's metadata does not speak of. Throws where the body is about another object.
 */
export function replacement(body: WrittenBody, live: KubeObject): KubeObject {
  const { metadata, apiVersion: _version, kind: _kind, status: _status, ...fields } = body;
  const { name, namespace, uid, resourceVersion, creationTimestamp, finalizers } = live.metadata;
  if (
    metadata.name !== name ||
    (metadata.namespace ?? namespace) !== namespace ||
    (body.kind ?? live.kind) !== live.kind
  )
    throw new TerminalError(
      `${live.kind} ${name} cannot be replaced by ${String(body.kind ?? live.kind)} ${metadata.name}: name and kind must be those of the object that was read.`,
      { code: "REPLACES_ANOTHER" },
    );
  const labels = metadata.labels ?? live.metadata.labels;
  const annotations = metadata.annotations ?? live.metadata.annotations;
  const ownerReferences = metadata.ownerReferences ?? live.metadata.ownerReferences;
  const kept: RawMetadata = {
    name,
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(creationTimestamp !== undefined && { creationTimestamp }),
    ...(labels !== undefined && { labels }),
    ...(annotations !== undefined && { annotations }),
    ...(ownerReferences !== undefined && { ownerReferences }),
    ...(finalizers !== undefined && { finalizers }),
  };
  return {
    apiVersion: live.apiVersion,
    kind: live.kind,
    metadata: kept,
    ...fields,
    ...(live.status !== undefined && { status: live.status }),
  };
}

/** True where the replacement equals the live object, in any order of fields. */
export const saysTheSame = (next: KubeObject, live: KubeObject): boolean =>
  sameJson(essence(next), essence(live));

/**
 * Remembers what the server made of a replacement where it fills in or changes what was sent, so that the same body would seem to
 * differ for ever. A loss costs one needless request for each object.
 */
export class ReplacedMemo {
  readonly #known = new Map<string, string>();
  readonly #limit: number;
  /** @param limit objects remembered; the one noted longest ago is forgotten first */
  constructor(limit = 10_000) {
    this.#limit = limit;
  }

  /** After a replacement: `answer` is what the server made of it. */
  note(next: KubeObject, answer: KubeObject): void {
    const key = answer.metadata.uid ?? "";
    this.#known.delete(key);
    if (saysTheSame(next, answer)) return;
    this.#known.set(key, digest(next, answer));
    const [oldest] = this.#known.keys();
    if (this.#known.size > this.#limit && oldest !== undefined) this.#known.delete(oldest);
  }

  /** True where the same was sent before, and the live object is still what the server made of it. */
  knows(next: KubeObject, live: KubeObject): boolean {
    const known = this.#known.get(live.metadata.uid ?? "");
    return known !== undefined && known === digest(next, live);
  }
}

const digest = (next: KubeObject, live: KubeObject): string =>
  hash("sha1", JSON.stringify([essence(next), essence(live)]), "base64");

function essence({ metadata, status: _status, ...fields }: KubeObject): unknown {
  const { labels, annotations, ownerReferences } = metadata;
  return plain({
    ...fields,
    labels: labels ?? {},
    annotations: annotations ?? {},
    owners: ownerReferences ?? [],
  });
}

/** The value as it would travel: without undefined fields. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (inner === undefined ? [] : [[name, plain(inner)]])),
  );
}
