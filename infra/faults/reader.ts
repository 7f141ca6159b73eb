import { Agent, request } from "node:https";
import { createInterface } from "node:readline";
import * as z from "zod";

/** The address of an API server, and the credentials of its reader. */
export interface Address {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

const object = z.looseObject({
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().default(""),
    uid: z.string(),
    resourceVersion: z.string(),
    generation: z.int().default(0),
    deletionTimestamp: z.string().optional(),
    labels: z.record(z.string(), z.string()).default({}),
    ownerReferences: z.array(z.looseObject({ uid: z.string() })).default([]),
  }),
  spec: z.record(z.string(), z.unknown()).default({}),
  status: z.record(z.string(), z.unknown()).optional(),
  data: z.record(z.string(), z.string()).default({}),
});
/** An object as the auditor reads it. */
export type Read = z.output<typeof object>;
const list = z.looseObject({
  metadata: z.looseObject({ resourceVersion: z.string() }),
  items: z.array(object),
});
const event = z.looseObject({ type: z.string(), object: z.unknown() });

const TIMEOUT_MILLISECONDS = 15_000;

/**
 * Reads an API server with node's own client and nothing of Reveille's, so that a fault of that client cannot hide itself.
 * Its errors are passed on as they are.
 */
export class Reader {
  readonly #address: Address;
  readonly #agent: Agent;

  constructor(address: Address) {
    this.#address = address;
    this.#agent = new Agent({ ca: address.ca, keepAlive: true });
  }

  /** @param path for example `/api/v1/configmaps` */
  async list(path: string): Promise<z.output<typeof list>> {
    const body = await new Promise<string>((resolve, reject) => {
      const sent = this.#send(path, (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (piece: string) => {
          text += piece;
        });
        answer.on("error", reject);
        answer.on("end", () =>
          answer.statusCode === 200
            ? resolve(text)
            : reject(new Error(`${path}: ${answer.statusCode} ${text.slice(0, 200)}`)),
        );
      });
      sent.setTimeout(TIMEOUT_MILLISECONDS, () => sent.destroy(new Error(`${path}: no answer`)));
      sent.on("error", reject);
    });
    return list.parse(JSON.parse(body));
  }

  /** Follows a list from `resourceVersion` until the stream ends, however it ends, or the signal is aborted. */
  async watch(
    path: string,
    resourceVersion: string,
    signal: AbortSignal,
    seen: (type: string, object: Read) => void,
  ): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const sent = this.#send(
        `${path}?watch=1&resourceVersion=${resourceVersion}&timeoutSeconds=300`,
        (answer) => {
          const lines = createInterface({ input: answer, crlfDelay: Number.POSITIVE_INFINITY });
          // It passes on what becomes of the answer.
          lines.on("error", reject);
          lines.on("line", (line) => {
            const { type, object: raw } = event.parse(JSON.parse(line));
            if (type !== "ERROR") seen(type, object.parse(raw));
            else sent.destroy();
          });
          answer.on("error", reject);
          answer.on("close", () => resolve());
        },
        signal,
      );
      sent.on("error", reject);
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(path: string, answered: Parameters<typeof request>[2], signal?: AbortSignal) {
    const { url, token } = this.#address;
    const sent = request(
      `${url}${path}`,
      { agent: this.#agent, headers: { authorization: `Bearer ${token}` }, ...(signal && { signal }) },
      answered,
    );
    sent.end();
    return sent;
  }
}
