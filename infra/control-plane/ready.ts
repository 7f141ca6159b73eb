import { readFileSync } from "node:fs";
import { request } from "node:https";
import type { Clock } from "../../shared/clock/clock.ts";
import { messageOf } from "../../shared/errors.ts";
import type { Child } from "./child.ts";
import { ControlPlaneError } from "./errors.ts";

const READY_WITHIN_MILLISECONDS = 60_000;
const READY_POLL_MILLISECONDS = 50;

/** Waits until the server is ready and has made its own namespaces; gives its authority's certificate. */
export async function becomesReady(at: {
  url: string;
  token: string;
  certificate: string;
  etcd: Child;
  apiserver: Child;
  clock: Clock;
}): Promise<string> {
  const until = at.clock.now() + READY_WITHIN_MILLISECONDS;
  const failures = Promise.race([at.etcd.failure(), at.apiserver.failure()]);
  const poll = async (): Promise<string> => {
    for (let last = ""; ; ) {
      try {
        // The bundle holds the server's certificate first, then the authority to trust.
        const ca = readFileSync(at.certificate, "utf8")
          .match(/-----BEGIN CERT[\s\S]+?-----END CERTIFICATE-----\n/g)
          ?.at(-1);
        if (ca === undefined) throw new TypeError(`no certificate in ${at.certificate}`);
        for (const path of ["/readyz", "/api/v1/namespaces/kube-system", "/api/v1/namespaces/default"]) {
          const status = await statusOf(at.url + path, ca, at.token);
          if (status !== 200) throw new TypeError(`${path} answers ${status}`);
        }
        return ca;
      } catch (error) {
        last = messageOf(error);
      }
      if (at.clock.now() > until)
        throw new ControlPlaneError(
          "FAILED",
          `kube-apiserver is not ready after ${READY_WITHIN_MILLISECONDS / 1000} s (${last}): see ${at.apiserver.logFile}.`,
        );
      await at.clock.sleep(READY_POLL_MILLISECONDS);
    }
  };
  return Promise.race([poll(), failures]);
}

const statusOf = (url: string, ca: string, token: string): Promise<number | undefined> =>
  new Promise((done, failed) => {
    const sent = request(
      url,
      { ca, agent: false, headers: { authorization: `Bearer ${token}` }, timeout: 5000 },
      (answer) => {
        answer.resume();
        done(answer.statusCode);
      },
    );
    sent.on("error", failed);
    sent.on("timeout", () => sent.destroy(new Error("no answer within 5 s")));
    sent.end();
  });
