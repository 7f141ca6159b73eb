import { Agent, request } from "node:https";
import { CONTRACT, type RuntimeWatcherOptions } from "../contract.ts";
import { shownFiles } from "./shown-files.ts";

/** For so long an answer of the control plane is waited for. */
const TIMEOUT = 10_000;

/** Tells the control plane; rejects where it was not told for good. */
export type Send = (manager: string, body: object) => Promise<void>;

/**
 * Sends by TLS 1.3 with the runtime's own certificate. The files are read for each connection: they may be renewed.
 * @param timeout the time for a whole answer, in milliseconds: one that comes byte by byte would hold up everything else
 */
export function sender(
  { controlPlane, files }: Pick<RuntimeWatcherOptions, "controlPlane" | "files">,
  timeout = TIMEOUT,
): {
  readonly send: Send;
  close(): void;
} {
  const base = new URL(`https://${controlPlane}`);
  const agent = new Agent({ keepAlive: false, maxSockets: 4 });
  return {
    send: (manager, body) =>
      new Promise((resolve, reject) => {
        const text = JSON.stringify(body);
        const { certificate: cert, key, authorities: ca } = shownFiles(files);
        const asked = request(
          new URL(`/${CONTRACT}/${encodeURIComponent(manager)}/event`, base),
          {
            method: "POST",
            agent,
            minVersion: "TLSv1.3",
            cert,
            key,
            ca,
            headers: { "content-type": "application/json", "content-length": Buffer.byteLength(text) },
          },
          (response) => {
            const { statusCode = 0 } = response;
            response.on("error", reject).resume();
            response.on("end", () =>
              statusCode >= 200 && statusCode < 300
                ? resolve()
                : reject(new Error(`the control plane answered ${statusCode}`)),
            );
          },
        );
        const late = setTimeout(
          () => asked.destroy(new Error(`no whole answer within ${timeout} ms`)),
          timeout,
        );
        asked
          .on("close", () => {
            clearTimeout(late);
            // An answer that is none, as a change of protocols, ends in nothing else.
            reject(new Error("the connection was closed without a whole answer"));
          })
          .on("error", reject);
        asked.end(text);
      }),
    close: () => agent.destroy(),
  };
}
