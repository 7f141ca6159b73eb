import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createAuthority } from "../../shared/tls/index.ts";

/** The request of a review as a hook sees it. */
export interface Asked {
  readonly uid: string;
  readonly operation: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly requestKind: { readonly version: string };
  readonly subResource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly dryRun?: boolean;
  readonly userInfo: { readonly username: string; readonly groups: readonly string[] };
  readonly options: Readonly<Record<string, unknown>>;
  readonly object: Reviewed | null;
  readonly oldObject: Reviewed | null;
}
export interface Reviewed {
  readonly metadata: {
    readonly name: string;
    readonly uid?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly deletionTimestamp?: string;
    readonly managedFields?: readonly { readonly manager: string }[];
  };
  readonly [field: string]: unknown;
}
/** The answer of a hook; a text is answered with a 500. */
export type Decision =
  | { readonly allowed: boolean; readonly patch?: readonly object[]; readonly [field: string]: unknown }
  | string;
export type Decide = (asked: Asked) => Decision | Promise<Decision>;

/** A server of webhooks by TLS on loopback, a path each. */
export interface HookServer {
  readonly caBundle: string;
  url(path: string): string;
  /** Answers at a path, and remembers what was asked there. */
  at(path: string, decide: Decide): readonly Asked[];
  stop(): Promise<void>;
}

export async function startHookServer(): Promise<HookServer> {
  const authority = createAuthority();
  const { certificate, key } = authority.issue({ commonName: "hooks", serverNames: ["127.0.0.1"] });
  const paths = new Map<string, { readonly decide: Decide; readonly asked: Asked[] }>();
  const server = createServer({ cert: certificate, key }, (request, response) => {
    void (async () => {
      let text = "";
      for await (const chunk of request) text += String(chunk);
      const asked = (JSON.parse(text) as { readonly request: Asked }).request;
      const at = paths.get(new URL(request.url ?? "/", "https://hooks").pathname);
      at?.asked.push(asked);
      const decision = (await at?.decide(asked)) ?? { allowed: true };
      if (typeof decision === "string") {
        response.writeHead(500, { "content-type": "text/plain" }).end(decision);
        return;
      }
      const { patch, ...rest } = decision;
      const body = {
        apiVersion: "admission.k8s.io/v1",
        kind: "AdmissionReview",
        response: {
          uid: asked.uid,
          ...rest,
          ...(patch !== undefined && {
            patchType: "JSONPatch",
            patch: Buffer.from(JSON.stringify(patch)).toString("base64"),
          }),
        },
      };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    caBundle: Buffer.from(authority.certificate).toString("base64"),
    url: (path) => `https://127.0.0.1:${port}${path}`,
    at(path, decide) {
      const asked: Asked[] = [];
      paths.set(path, { decide, asked });
      return asked;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
