import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { jsonOf } from "../../json/parse.ts";
import { PART_OF } from "../../kube/home.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { Heard } from "./beat-book.ts";

/** Names the host whose Lease it is. */
export const HOST_LABEL = "reveille.dev/hears-beats";
/** The senders that the host heard, and when. */
const HEARD = "reveille.dev/heard";
/** A host that did not say anything for so long is gone. */
export const HOST_SECONDS = 90;
/** Characters of senders in one Lease: its annotations hold 256 KiB. */
const MOST_CHARACTERS = 150_000;
const MOST_UNPACKED = 4 * MOST_CHARACTERS;

/** The last beats of senders, by trigger. */
export type AllHeard = ReadonlyMap<string, ReadonlyMap<string, Heard>>;

/** A host as its Leases tell of it. */
export interface HearingHost {
  readonly host: string;
  /** The time up to which it has said what it heard. */
  readonly renewed: number;
  readonly heard: AllHeard;
  readonly leases: readonly KubeObject[];
}

type Line = readonly [trigger: string, sender: string, heard: number, every: number];
const lines = z.array(z.tuple([z.string(), z.string(), z.number(), z.number()]));

/** The Leases in which a host tells what it heard: one, and more where there is too much for one. */
export function heardLeases(
  host: string,
  namespace: string,
  now: number,
  all: AllHeard,
): readonly KubeObject[] {
  const parts: string[][] = [[]];
  let length = 0;
  for (const [trigger, senders] of all)
    for (const [sender, { heard, every }] of senders) {
      const line = JSON.stringify([trigger, sender, heard, every] satisfies Line);
      length += line.length + 1;
      if (length > MOST_CHARACTERS) {
        parts.push([]);
        length = line.length + 1;
      }
      parts.at(-1)?.push(line);
    }
  return parts.map((part, index) => ({
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: {
      name: leaseName(host, index),
      namespace,
      labels: { ...PART_OF, [HOST_LABEL]: host },
      annotations: { [HEARD]: gzipSync(`[${part.join(",")}]`).toString("base64") },
    },
    spec: {
      holderIdentity: host,
      leaseDurationSeconds: HOST_SECONDS,
      renewTime: new Date(now).toISOString().replace("Z", "000Z"),
    },
  }));
}

const leaseName = (host: string, part: number): string => `reveille-beats-${host}-${part}`;

/** The hosts that these Leases are of. What cannot be read of a Lease says nothing. */
export function hearingHosts(leases: readonly KubeObject[]): readonly HearingHost[] {
  const byHost = Map.groupBy(leases, ({ metadata }) => metadata.labels?.[HOST_LABEL] ?? "");
  return [...byHost].map(([host, of]) => {
    const heard = new Map<string, Map<string, Heard>>();
    for (const { metadata } of of)
      for (const [trigger, sender, at, every] of linesIn(metadata.annotations?.[HEARD])) {
        const senders = heard.get(trigger) ?? new Map<string, Heard>();
        heard.set(trigger, senders.set(sender, { heard: at, every }));
      }
    return { host, renewed: Math.min(...of.map(renewedOf)), heard, leases: of };
  });
}

/** True where a host has not said anything for too long. */
export const isGone = ({ renewed }: Pick<HearingHost, "renewed">, now: number): boolean =>
  renewed + HOST_SECONDS * 1000 < now;

function renewedOf({ spec }: KubeObject): number {
  const { renewTime } = (spec ?? {}) as { readonly renewTime?: unknown };
  const time = typeof renewTime === "string" ? Date.parse(renewTime) : Number.NaN;
  return Number.isNaN(time) ? 0 : time;
}

function linesIn(text: string | undefined): readonly Line[] {
  if (text === undefined) return [];
  return lines.safeParse(jsonOf(unpacked(text))).data ?? [];
}

/** The text; empty where it is none. */
function unpacked(text: string): string {
  try {
    return gunzipSync(Buffer.from(text, "base64"), { maxOutputLength: MOST_UNPACKED }).toString();
  } catch (thrown) {
    // Somebody else wrote there: the host says it anew with its next renewal.
    if (thrown instanceof Error && "code" in thrown) return "";
    throw thrown;
  }
}
