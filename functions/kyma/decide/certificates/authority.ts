import {
  call,
  type Effects,
  emit,
  inOrder,
  later,
  type Obj,
  type Results,
  type Time,
  timeOf,
  toWholeSeconds,
} from "../../../../shared/function/index.ts";
import type { Secret } from "../../../../shared/kube/kinds/index.ts";
import type { WatcherSettings } from "../../configuration.ts";
import { authorityChanged } from "../../kinds/index.ts";
import { issuer } from "../../ports/issuer/index.ts";
import { authorityOf, bundleOf, chainOf, type Pair, pairOf, textOf, timesOf } from "./read.ts";
import { bundleChange, renewalOf, serverIsDueAt, termOf } from "./rotation.ts";
import {
  ADDED_AT,
  AUTHORITY_SECRET,
  addedAtOf,
  dataOf,
  GATEWAY_SECRET,
  gatewayData,
  written,
} from "./secrets.ts";

/** The time between two looks at an authority that others make. */
const LOOK = "10m";

/** Everything that the authority of runtimes and the gateway's certificate follow from. */
export interface AuthorityWorld {
  readonly namespace: string;
  readonly authority: Obj<typeof Secret> | undefined;
  readonly gateway: Obj<typeof Secret> | undefined;
}
type Target = "Secret" | "issuer" | (typeof authorityChanged)["id"];
interface AuthorityEnding {
  readonly again?: boolean;
  readonly retry?: boolean;
  readonly wakeAt?: Readonly<Record<string, Time>>;
  readonly record?: Effects<Target>;
}

/**
 * Keeps an authority, the bundle of those that are trusted, and the gateway's certificate. A new authority goes into the bundle first; runtimes get
 * certificates of it after that, and the gateway shows one of it last (4.6). One step a pass.
 */
export function authorityPass(world: AuthorityWorld, watcher: WatcherSettings, now: Time) {
  const { namespace, authority: stored, gateway } = world;
  const time = Date.parse(now);
  const authority = authorityOf(stored?.data);
  const place = { name: AUTHORITY_SECRET, namespace };
  const isOurs = watcher.issuer === "builtIn";
  // Whoever else makes it tells nobody here.
  if (authority === undefined && !isOurs) return { wakeAt: { look: later(now, LOOK) } };
  if (authority === undefined || (isOurs && time >= renewalOf("authority", authority.certificate)))
    return issued(
      call(
        issuer,
        "authority",
        { commonName: AUTHORITY_SECRET, ...termOf("authority", time) },
        { key: keyOf(stored, "authority") },
      ),
      (pair) => written(place, stored, dataOf(pair)),
    );
  const server = pairOf(gateway?.data);
  const at = { name: GATEWAY_SECRET, namespace };
  const change = bundleChange(chainOf(stored?.data), textOf(gateway?.data, "ca.crt"), time);
  if (change !== undefined) {
    const addedAt = toWholeSeconds(timeOf(change.addedAt ?? addedAtOf(gateway) ?? time));
    const data = gatewayData(change.bundle, server);
    return {
      effects: inOrder<Target>(
        emit(authorityChanged, { namespace, addedAt }),
        written(at, gateway, data, { annotations: { [ADDED_AT]: addedAt } }),
      ),
      again: true,
    };
  }
  // An address of IPv6 has brackets in a URL alone.
  const host = new URL(`https://${watcher.address}`).hostname.replaceAll(/[[\]]/g, "");
  const addedAt = addedAtOf(gateway);
  const due = serverIsDueAt(server, { authority: authority.certificate, addedAt, host });
  const bundle = textOf(gateway?.data, "ca.crt");
  if (time >= due) {
    const wanted = { commonName: host, dnsNames: [host], ...termOf("server", time, authority.certificate) };
    return issued(
      call(issuer, "issue", { authority, ...wanted }, { key: keyOf(gateway, "server") }),
      (pair) => written(at, gateway, gatewayData(bundle, pair), { annotations: annotationsOf(addedAt) }),
    );
  }
  return {
    effects: copies(watcher.gatewayNamespaces, gateway, server, bundle),
    // A namespace that is not there stands in the way of no renewal.
    conclude: ({ ok }: Results): AuthorityEnding => ({
      wakeAt: wakesOf(isOurs, authority, bundle, due, now),
      retry: !ok,
    }),
  };
}

/** The Secret of the gateway in the namespaces where it is read. */
const copies = (
  namespaces: readonly string[],
  gateway: Obj<typeof Secret> | undefined,
  server: Pair | undefined,
  bundle: string,
): Effects<Target> =>
  namespaces
    .filter((namespace) => namespace !== gateway?.metadata.namespace)
    .map((namespace) => written({ name: GATEWAY_SECRET, namespace }, gateway, gatewayData(bundle, server)));

/** Has a certificate made, and stores it before anything else happens. */
function issued(
  made: ReturnType<typeof call<typeof issuer, "authority">>,
  store: (pair: Pair) => Effects<Target>,
): {
  readonly effects: Effects<Target>;
  readonly conclude: (results: Results) => AuthorityEnding;
} {
  return {
    effects: made,
    conclude: (results) => {
      const result = results(made);
      return result.state === "done" ? { record: store(result.value), again: true } : { retry: true };
    },
  };
}

const annotationsOf = (addedAt: number | undefined): Readonly<Record<string, string>> =>
  addedAt === undefined ? {} : { [ADDED_AT]: toWholeSeconds(timeOf(addedAt)) };

/** Another version of what is stored asks for another certificate. */
const keyOf = (secret: Obj<typeof Secret> | undefined, what: string): string =>
  `${what} ${secret?.metadata.uid ?? ""} ${secret?.metadata.resourceVersion ?? ""}`;

/** The time at which something is to be renewed, or ends. */
function wakesOf(
  isOurs: boolean,
  authority: Pair,
  bundle: string,
  server: number,
  now: Time,
): Readonly<Record<string, Time>> {
  const ends = bundleOf(bundle).flatMap((one) => timesOf(one)?.to ?? []);
  const renewal = isOurs ? [renewalOf("authority", authority.certificate)] : [];
  // An authority of others that has ended stays until they make another; nothing is to be done before.
  const next = Math.min(...[server, ...renewal, ...ends].filter((time) => time > Date.parse(now)));
  return {
    ...(Number.isFinite(next) && { certificates: timeOf(next + 1_000) }),
    ...(!isOurs && { look: later(now, LOOK) }),
  };
}
