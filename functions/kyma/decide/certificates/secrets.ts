import { hash } from "node:crypto";
import { apply, create, type Effect, type Obj } from "../../../../shared/function/index.ts";
import { Secret } from "../../../../shared/kube/kinds/index.ts";
import { type Kyma, LABELS } from "../../kinds/index.ts";
import type { Pair } from "./read.ts";

/** Upstream's names: the authority with its key, and what the gateway shows and trusts. */
export const AUTHORITY_SECRET = "klm-watcher";
export const GATEWAY_SECRET = "klm-istio-gateway";
/** On the gateway's Secret: the time at which the newest authority was added to its bundle. */
export const ADDED_AT = "caAddedToBundleAt";

const encoded = (text: string): string => Buffer.from(text).toString("base64");
/** The content of a Secret with a certificate. */
export const dataOf = ({ certificate, key }: Pair): Readonly<Record<string, string>> => ({
  "tls.crt": encoded(certificate),
  "tls.key": encoded(key),
});

/** Writes a Secret of the control plane; one of a Kyma goes with it. */
export function written(
  place: { readonly name: string; readonly namespace: string },
  known: Obj<typeof Secret> | undefined,
  data: Readonly<Record<string, string>>,
  more: { readonly owner?: Obj<typeof Kyma>; readonly annotations?: Readonly<Record<string, string>> } = {},
): Effect<"Secret", Obj<typeof Secret>> {
  const { owner, annotations } = more;
  const labels = { [LABELS.managedBy]: "lifecycle-manager" };
  const metadata = { ...place, labels, ...(annotations && { annotations }) };
  // Without a type: it cannot be changed, and what cert-manager made before has another than ours would.
  return known === undefined
    ? create(Secret, { metadata, data }, owner === undefined ? {} : { owner })
    : apply(Secret, { metadata, data }, { force: true });
}

/** The content of the gateway's Secret. */
export const gatewayData = (bundle: string, server: Pair | undefined): Readonly<Record<string, string>> => ({
  "ca.crt": encoded(bundle),
  ...(server && dataOf(server)),
});

/** The time of the annotation, in milliseconds since the epoch. */
export function addedAtOf(secret: Obj<typeof Secret> | undefined): number | undefined {
  const time = Date.parse(secret?.metadata.annotations[ADDED_AT] ?? "");
  return Number.isNaN(time) ? undefined : time;
}

/** A share from 0 to 1 that is the same for a name each time. */
export const shareOf = (name: string): number =>
  Number.parseInt(hash("sha256", name, "hex").slice(0, 8), 16) / 0xffff_ffff;
