import { Agent, request } from "node:https";
import { messageOf, ReveilleError } from "../../../shared/errors.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { Hook } from "./hooks.ts";

/** A webhook gave no answer; the message is in the words of the real server. */
export class CallFailedError extends ReveilleError {
  constructor({ name }: Pick<Hook, "name">, why: string, cause?: unknown) {
    super("LOCAL_API_WEBHOOK", `failed calling webhook ${JSON.stringify(name)}: ${why}`, { cause });
  }
}

/** The address at which a Service is reached from here; undefined where nothing serves it. */
export type ServiceAt = (service: {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}) => { readonly host: string; readonly port: number } | undefined;

/** The answer of a webhook, as far as it is read. */
export interface Answered {
  readonly allowed: boolean;
  readonly status: JsonObject | undefined;
  readonly warnings: readonly string[];
  /** The operations of its JSON patch; undefined where there is none. */
  readonly patch: unknown;
}

const LARGEST_ANSWER = 16 * 1_048_576;

const CLOSED: ReadonlySet<unknown> = new Set(["ECONNRESET", "EPIPE"]);
const isClosed = (error: Error): boolean => "code" in error && CLOSED.has(error.code);

/** Asks webhooks over kept connections, until it is closed. */
export class Caller {
  readonly #serviceAt: ServiceAt;
  readonly #agents = new Map<string, Agent>();

  constructor(serviceAt: ServiceAt = () => undefined) {
    this.#serviceAt = serviceAt;
  }

  /** Asks a webhook. Throws a `CallFailedError` where it gives no answer that counts. */
  async ask(hook: Hook, review: Readonly<Record<string, unknown>>): Promise<Answered> {
    const body = { kind: "AdmissionReview", apiVersion: "admission.k8s.io/v1", request: review };
    const answer = await this.#post(hook, JSON.stringify(body));
    return answered(hook, review.uid, answer);
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  #post(hook: Hook, body: string): Promise<string> {
    const { url, host, port, servername } = this.#target(hook);
    const { caBundle = "" } = hook.clientConfig;
    const known = `${servername} ${caBundle}`;
    const agent =
      this.#agents.get(known) ??
      new Agent({
        keepAlive: true,
        ...(caBundle !== "" && { ca: Buffer.from(caBundle, "base64").toString() }),
      });
    this.#agents.set(known, agent);
    const failed = (why: string, cause?: unknown): CallFailedError =>
      new CallFailedError(hook, `failed to call webhook: ${why}`, cause);
    return new Promise((resolve, reject) => {
      let isAnswered = false;
      const sent = request(
        {
          agent,
          method: "POST",
          host,
          port,
          path: `${url.pathname}${url.search}`,
          servername,
          headers: {
            host: url.host,
            accept: "application/json, */*",
            "content-type": "application/json",
            "content-length": Buffer.byteLength(body),
          },
          signal: AbortSignal.timeout(hook.timeoutSeconds * 1000),
        },
        (response) => {
          isAnswered = true;
          const chunks: Buffer[] = [];
          let size = 0;
          response.on("data", (chunk: Buffer) => {
            size += chunk.byteLength;
            chunks.push(chunk);
            if (size > LARGEST_ANSWER) sent.destroy(new Error("the answer is too large"));
          });
          response.on("error", (error) => reject(failed(postFailed(url, error), error)));
          response.on("end", () => {
            const text = Buffer.concat(chunks).toString();
            const code = response.statusCode ?? 0;
            const isText = String(response.headers["content-type"]).startsWith("text/");
            if (code === 200) resolve(text);
            else reject(failed(refused(code, isText ? text.trim() : "unknown")));
          });
        },
      );
      sent.on("error", (error) => {
        // The webhook closed the kept connection before it knew of the question: whoever did not answer anything is asked anew.
        if (sent.reusedSocket && !isAnswered && isClosed(error)) resolve(this.#post(hook, body));
        else reject(failed(postFailed(url, error), error));
      });
      sent.end(body);
    });
  }

  #target(hook: Hook): {
    readonly url: URL;
    readonly host: string;
    readonly port: number;
    readonly servername: string;
  } {
    const { url: given, service } = hook.clientConfig;
    const wait = `timeout=${hook.timeoutSeconds}s`;
    if (service === undefined) {
      const url = new URL(given ?? "");
      url.search = wait;
      const host = url.hostname.replace(/^\[|\]$/g, "");
      // An address is no name that TLS could ask for.
      const servername = /^[\d.]+$|:/.test(host) ? "" : host;
      return { url, host, port: Number(url.port || 443), servername };
    }
    const { name, namespace, path = "/", port = 443 } = service;
    const at = this.#serviceAt({ name, namespace, port });
    if (at === undefined)
      throw new CallFailedError(
        hook,
        `failed to call webhook: no endpoints available for service ${JSON.stringify(name)}: the local API reaches a Service only where whoever started it says at which address; name a url on loopback`,
      );
    const servername = `${name}.${namespace}.svc`;
    return { url: new URL(`https://${servername}:${port}${path}?${wait}`), ...at, servername };
  }
}

/** The words of Go's client. */
function postFailed(url: URL, error: NodeJS.ErrnoException): string {
  const late = error.name === "TimeoutError" || error.name === "AbortError";
  const why = late
    ? "context deadline exceeded"
    : error.code === "ECONNREFUSED"
      ? `dial tcp ${url.host}: connect: connection refused`
      : TRUST.test(error.code ?? "")
        ? `tls: failed to verify certificate: x509: ${error.message}`
        : messageOf(error);
  return `Post ${JSON.stringify(String(url))}: ${why}`;
}
const TRUST = /^(UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|CERT_|ERR_TLS_CERT)/;

const REFUSED: Readonly<Record<number, string>> = {
  400: "the server rejected our request for an unknown reason",
  401: "the server has asked for the client to provide credentials",
  403: "unknown",
  404: "the server could not find the requested resource",
  405: "the server does not allow this method on the requested resource",
  413: "Request entity too large: limit is 3145728",
  503: "the server is currently unable to handle the request",
};
const refused = (code: number, said: string): string =>
  REFUSED[code] ??
  `an error on the server (${JSON.stringify(said)}) has prevented the request from succeeding`;

function answered(hook: Hook, uid: unknown, text: string): Answered {
  const invalid = (why: string, cause?: unknown): CallFailedError =>
    new CallFailedError(hook, `received invalid webhook response: ${why}`, cause);
  let review: unknown;
  try {
    review = JSON.parse(text);
  } catch (thrown) {
    throw invalid(messageOf(thrown), thrown);
  }
  const said = isObject(review) ? review : {};
  if (said.kind !== "AdmissionReview" || said.apiVersion !== "admission.k8s.io/v1")
    throw invalid(
      `expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${String(said.apiVersion)}, Kind=${String(said.kind)}`,
    );
  if (!isObject(said.response)) throw invalid("webhook response was absent");
  const { allowed, status, warnings, patch, patchType } = said.response;
  if (said.response.uid !== uid)
    throw invalid(
      `expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(said.response.uid ?? "")}`,
    );
  const changes = typeof patch === "string" && patch !== "";
  if (changes && patchType !== "JSONPatch")
    throw invalid(`webhook returned invalid response.patchType of ${JSON.stringify(patchType)}`);
  if (changes && hook.sort === "validating")
    throw invalid("validating webhook may not return response.patch");
  try {
    return {
      allowed: allowed === true,
      status: isObject(status) ? status : undefined,
      warnings: Array.isArray(warnings) ? warnings.map(String) : [],
      patch: changes ? JSON.parse(Buffer.from(patch, "base64").toString()) : undefined,
    };
  } catch (thrown) {
    throw invalid(`the patch is no JSON: ${messageOf(thrown)}`, thrown);
  }
}
