import { createHmac } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { catalogue } from "../../events/index.ts";
import type { Bus } from "../../shared/bus/contract.ts";
import type { Clock } from "../../shared/clock/clock.ts";
import { type FetchHandler, ingress, nodeServer } from "../../shared/host/http/index.ts";
import { silent } from "../../shared/log/log.ts";
import { triggers } from "../triggers/triggers.ts";

/** Sends what publishers of releases send; each method answers with the status of the answer. */
export interface Webhooks {
  /** A release of a repository, as GitHub tells it. */
  github(repository: string, version: string): Promise<number>;
  /** A pushed tag, as a registry of the CNCF's distribution tells it. */
  push(host: string, repository: string, tag: string): Promise<number>;
}

/** Webhooks over a socket, and those of somebody who does not know the secret. */
export interface ServedWebhooks extends Webhooks {
  readonly forged: Webhooks;
  stop(): void;
}

const SECRET = "known-to-both";
const GUESSED = "guessed-by-somebody";
/** The address of a handler that no socket leads to. */
const NOWHERE = "http://reveille";

/** The handler of triggers, as `serve` has it. */
const taking = (bus: Bus, clock: Clock): FetchHandler =>
  ingress({
    bus,
    types: () => catalogue,
    callers: [],
    triggers: triggers.map((trigger) => ({ trigger, secret: async () => SECRET })),
    clock,
    log: silent,
  });

/** Takes webhooks as `serve` does, onto a bus. */
export function webhooks(bus: Bus, clock: Clock): Webhooks {
  const take = taking(bus, clock);
  return sending((request) => Promise.resolve(take(request)), { server: NOWHERE, secret: SECRET, clock });
}

/** The same over HTTP, on a port of this machine. */
export async function servedWebhooks(bus: Bus, clock: Clock): Promise<ServedWebhooks> {
  const http = nodeServer(taking(bus, clock));
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  const server = `http://127.0.0.1:${port}`;
  const send = (request: Request): Promise<Response> => fetch(request);
  return {
    ...sending(send, { server, secret: SECRET, clock }),
    forged: sending(send, { server, secret: GUESSED, clock }),
    stop: () => void http.close(),
  };
}

function sending(
  deliver: (request: Request) => Promise<Response>,
  { server, secret, clock }: { readonly server: string; readonly secret: string; readonly clock: Clock },
): Webhooks {
  const send = async (name: string, body: object, headers: Record<string, string>): Promise<number> => {
    const text = JSON.stringify(body);
    const answer = await deliver(
      new Request(`${server}/triggers/${name}`, {
        method: "POST",
        body: text,
        headers: {
          "content-type": "application/json",
          authorization: `Bearer ${secret}`,
          "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`,
          ...headers,
        },
      }),
    );
    await answer.arrayBuffer();
    return answer.status;
  };
  return {
    github: (repository, version) =>
      send(
        "github",
        {
          action: "published",
          release: { tag_name: version, draft: false },
          repository: { full_name: repository, html_url: `https://github.com/${repository}` },
        },
        { "x-github-event": "release", "x-github-delivery": `${repository} ${version}` },
      ),
    push: (host, repository, tag) => {
      const target = { repository, tag, digest: `sha256:${tag}` };
      const at = new Date(clock.now()).toISOString();
      const event = { id: `${repository}:${tag}`, timestamp: at, action: "push", target, request: { host } };
      return send("registry", { events: [event] }, {});
    },
  };
}
