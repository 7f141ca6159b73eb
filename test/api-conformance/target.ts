import type { ClientRequest, IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import type { RawMetadata } from "../../shared/kube/object.ts";

/** A server under test. */
export interface Target {
  readonly url: string;
  readonly token: string;
  /** PEM. */
  readonly ca: string;
}

/** What an answer may hold: objects, lists and failures in one, since a test says which one it expects. */
export interface Body {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: RawMetadata & { readonly continue?: string; readonly remainingItemCount?: number };
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: unknown;
  readonly data: Readonly<Record<string, string>>;
  readonly items: readonly Body[];
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details: {
    readonly kind: string;
    readonly group: string;
    readonly name: string;
    readonly uid: string;
    readonly causes: readonly { readonly field: string; readonly message: string; readonly reason: string }[];
  };
}

export interface Answer {
  readonly code: number;
  readonly body: Body;
  /** Where the answer was no JSON. */
  readonly text: string;
  readonly warning: string | undefined;
}

export const media = {
  json: "application/json",
  apply: "application/apply-patch+yaml",
  merge: "application/merge-patch+json",
  jsonPatch: "application/json-patch+json",
  strategic: "application/strategic-merge-patch+json",
} as const;

/** One line of a watch. */
export interface Line {
  readonly type: string;
  readonly object: Body;
}

/** Plain requests: no client of ours between the assertion and the server. */
export class Api {
  readonly #target: Target;
  readonly #agent: Agent;
  constructor(target: Target) {
    this.#target = target;
    this.#agent = new Agent({ keepAlive: true, ca: target.ca, maxSockets: 8 });
  }

  get = (path: string, accept?: string): Promise<Answer> =>
    this.send("GET", path, undefined, undefined, accept);
  post = (path: string, body: unknown): Promise<Answer> => this.send("POST", path, body);
  put = (path: string, body: unknown): Promise<Answer> => this.send("PUT", path, body);
  delete = (path: string, body?: unknown): Promise<Answer> => this.send("DELETE", path, body);
  merge = (path: string, body: unknown): Promise<Answer> => this.send("PATCH", path, body, media.merge);
  jsonPatch = (path: string, body: unknown): Promise<Answer> =>
    this.send("PATCH", path, body, media.jsonPatch);
  strategic = (path: string, body: unknown): Promise<Answer> =>
    this.send("PATCH", path, body, media.strategic);
  apply = (path: string, manager: string, body: unknown, force = false): Promise<Answer> =>
    this.send("PATCH", `${path}?fieldManager=${manager}${force ? "&force=true" : ""}`, body, media.apply);

  send(
    method: string,
    path: string,
    body?: unknown,
    contentType: string = media.json,
    accept?: string,
  ): Promise<Answer> {
    const spelled = body === undefined || typeof body === "string" || body instanceof Uint8Array;
    const text = spelled ? body : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const sent = this.#open(method, path, contentType, accept, text, (response) => {
        let received = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          received += chunk;
        });
        response.on("end", () => {
          const code = response.statusCode ?? 0;
          const json =
            received !== "" &&
            String(response.headers["content-type"]).includes("json") &&
            !received.includes("}\n{");
          resolve({
            code,
            body: (json ? JSON.parse(received) : {}) as Body,
            text: received,
            warning: response.headers.warning,
          });
        });
        response.on("error", reject);
      });
      sent.on("error", reject);
      sent.end(text);
    });
  }

  /** The lines of a watch, until `enough` says so or the server ends it. */
  watch(
    path: string,
    enough: (lines: readonly Line[]) => boolean = () => false,
    accept?: string,
  ): Promise<readonly Line[]> {
    return new Promise((resolve, reject) => {
      const lines: Line[] = [];
      const sent = this.#open("GET", path, media.json, accept, undefined, (response) => {
        let rest = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          const parts = (rest + chunk).split("\n");
          rest = parts.pop() ?? "";
          lines.push(...parts.map((part) => JSON.parse(part) as Line));
          if (enough(lines)) {
            resolve(lines);
            sent.destroy();
          }
        });
        response.on("end", () => resolve(lines));
      });
      // Cut by ourselves once there was enough: the promise is settled by then.
      sent.on("error", reject);
      sent.end();
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  #open(
    method: string,
    path: string,
    contentType: string,
    accept: string | undefined,
    text: string | Uint8Array | undefined,
    answered: (response: IncomingMessage) => void,
  ): ClientRequest {
    return request(
      new URL(path, this.#target.url),
      {
        method,
        agent: this.#agent,
        headers: {
          authorization: `Bearer ${this.#target.token}`,
          "user-agent": "conformance/1",
          ...(accept === undefined ? {} : { accept }),
          ...(text === undefined
            ? {}
            : { "content-type": contentType, "content-length": Buffer.byteLength(text) }),
        },
      },
      answered,
    );
  }
}
