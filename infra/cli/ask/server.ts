import { readFileSync } from "node:fs";
import { messageOf } from "../../../shared/errors.ts";
import { CliError, UsageError } from "../../../shared/function/command-errors.ts";
import { jsonOf } from "../../../shared/json/parse.ts";
import { fileError } from "../file-error.ts";
import type { ServerOptions } from "../options.ts";

/** The answer of a `reveille serve`. */
export interface Answered {
  readonly status: number;
  readonly body: unknown;
}

/** A server, once its address and token are read. */
export interface AskedServer {
  /** Sends a CloudEvent to a path. Throws a `CliError` where the server is not there or refuses it. */
  post(path: string, event: unknown): Promise<Answered>;
}

/** Undefined where no server is meant. */
export function serverOf({ server, tokenFile }: ServerOptions): AskedServer | undefined {
  if (server === undefined) {
    if (tokenFile !== undefined) throw new UsageError("--token-file is for --server: name that too.");
    return undefined;
  }
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol))
    throw new UsageError(`--server ${server}: write an address such as https://reveille.example.org.`);
  const token = tokenFile === undefined ? undefined : readText(tokenFile).trim();
  const base = server.replace(/\/+$/, "");
  return { post: (path, event) => post(new URL(`${base}${path}`), event, token) };
}

export function readText(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (thrown) {
    throw fileError(thrown, file);
  }
}

async function post(url: URL, event: unknown, token: string | undefined): Promise<Answered> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/cloudevents+json",
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(event),
      signal: AbortSignal.timeout(60_000),
    });
    text = await response.text();
  } catch (thrown) {
    const cause = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
    throw new CliError(
      "CLI_SERVER_AWAY",
      `${url.origin} does not answer (${messageOf(cause)}): is \`reveille serve\` running there?`,
      { cause: thrown },
    );
  }
  // Where something else than Reveille answered, a proxy perhaps, what it says is told as text.
  if (response.ok) return { status: response.status, body: jsonOf(text) };
  const said = jsonOf(text) as { readonly message?: unknown } | undefined;
  throw new CliError(
    "CLI_SERVER_REFUSED",
    `${url.origin} refused it (${response.status}): ${typeof said?.message === "string" ? said.message : text.slice(0, 200) || "it says no more"}`,
  );
}
