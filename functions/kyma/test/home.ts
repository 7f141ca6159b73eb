import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Envelope } from "../../../events/index.ts";
import { type Clock, systemClock } from "../../../shared/clock/clock.ts";
import type { Beat } from "../../../shared/function/index.ts";
import {
  certifiedIngress,
  HttpError,
  nodeListener,
  provenByConnection,
} from "../../../shared/host/http/index.ts";
import { silent } from "../../../shared/log/log.ts";
import type { Authority } from "../../../shared/tls/index.ts";
import { listener } from "../decide/watch/index.ts";

/** A control plane that takes the events of runtimes as `serve` does. */
export interface PlayedHome {
  /** The host and port, as a runtime knows it. */
  readonly address: string;
  readonly published: readonly Envelope[];
  /** The signs of life of its runtimes. */
  readonly beats: readonly Beat[];
  /** Has it take nothing more, or again. */
  reach(yes: boolean): void;
  /** The names of the objects that it was told of; empty where anything may have changed. */
  names(): readonly string[];
  stop(): Promise<void>;
}

/** Starts one whose certificate is of that authority, and which trusts those of the same. */
export async function playedHome(authority: Authority, clock: Clock = systemClock): Promise<PlayedHome> {
  const published: Envelope[] = [];
  const beats: Beat[] = [];
  let reachable = true;
  const { certificate, key } = authority.issue({ commonName: "home", serverNames: ["localhost"] });
  const server = createServer(
    {
      cert: certificate,
      key,
      ca: authority.certificate,
      requestCert: true,
      rejectUnauthorized: false,
      minVersion: "TLSv1.3",
    },
    nodeListener(
      certifiedIngress({
        triggers: [listener],
        prove: provenByConnection,
        clock,
        log: silent,
        ear: {
          hear: (_trigger, _sender, beat) => {
            if (!reachable) throw new HttpError("HTTP_UNAVAILABLE", "Nobody hears it now.");
            return { notices: [], note: () => void beats.push(beat) };
          },
        },
        bus: {
          ready: () => reachable,
          publish: async (events) => {
            published.push(...events);
            return { refused: [] };
          },
        },
      }),
    ),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `localhost:${(server.address() as AddressInfo).port}`,
    published,
    beats,
    reach: (yes) => {
      reachable = yes;
    },
    names: () =>
      published
        .filter(({ type }) => type === "runtime.changed")
        .map(({ data }) => (data as { readonly watched?: { readonly name: string } }).watched?.name ?? ""),
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
