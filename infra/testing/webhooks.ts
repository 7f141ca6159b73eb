import { createHmac } from "node:crypto";
import { catalogue } from "../../events/index.ts";
import type { Bus } from "../../shared/bus/contract.ts";
import type { Clock } from "../../shared/clock/clock.ts";
import { ingress } from "../../shared/host/http/index.ts";
import { silent } from "../../shared/log/log.ts";
import { triggers } from "../triggers/triggers.ts";

/** Sends what publishers of releases send; each method answers with the status of the answer. */
export interface Webhooks {
  /** A release of a repository, as GitHub tells it. */
  github(repository: string, version: string): Promise<number>;
  /** A pushed tag, as a registry of the CNCF's distribution tells it. */
  push(host: string, repository: string, tag: string): Promise<number>;
}

const SECRET = "known-to-both";

/** Takes webhooks as `serve` does, onto a bus. */
export function webhooks(bus: Bus, clock: Clock): Webhooks {
  const take = ingress({
    bus,
    types: () => catalogue,
    callers: [],
    triggers: triggers.map((trigger) => ({ trigger, secret: async () => SECRET })),
    clock,
    log: silent,
  });
  const send = async (name: string, body: object, headers: Record<string, string>): Promise<number> => {
    const text = JSON.stringify(body);
    const { status } = await take(
      new Request(`http://reveille/triggers/${name}`, {
        method: "POST",
        body: text,
        headers: {
          "content-type": "application/json",
          authorization: `Bearer ${SECRET}`,
          "x-hub-signature-256": `sha256=${createHmac("sha256", SECRET).update(text).digest("hex")}`,
          ...headers,
        },
      }),
    );
    return status;
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
