import type { KubeClient } from "../../shared/kube/client.ts";

/** A request as the wrappers see it. */
export interface Request {
  readonly verb:
    | "get"
    | "list"
    | "watch"
    | "apply"
    | "create"
    | "patch"
    | "replace"
    | "delete"
    | "discover"
    | "raw"
    | "exec";
  readonly write: boolean;
  readonly status: boolean;
}

/** Runs a request; may delay it, refuse it, or do something once it has been answered. */
export type Around = <T>(request: Request, send: () => Promise<T>) => Promise<T>;

const WRITES = new Set(["apply", "create", "patch", "replace", "delete"]);

/** The same client, each request of it led through `around`. Watches and pages pass by request. */
export function wrapClient(client: KubeClient, around: Around): KubeClient {
  const request = (verb: Request["verb"], subresource?: string): Request => ({
    verb,
    write: WRITES.has(verb),
    status: subresource === "status",
  });
  return {
    get: (...args) => around(request("get"), () => client.get(...args)),
    list: (...args) => around(request("list"), () => client.list(...args)),
    pages: async function* (...args) {
      const pages = client.pages(...args);
      for (;;) {
        const next = await around(request("list"), () => pages.next());
        if (next.done === true) return;
        yield next.value;
      }
    },
    watch: (...args) => around(request("watch"), () => client.watch(...args)),
    apply: (...args) => around(request("apply", args[3].subresource), () => client.apply(...args)),
    create: (...args) => around(request("create"), () => client.create(...args)),
    patch: (...args) => around(request("patch", args[4].subresource), () => client.patch(...args)),
    replace: (...args) => around(request("replace", args[3].subresource), () => client.replace(...args)),
    delete: (...args) => around(request("delete"), () => client.delete(...args)),
    discover: (...args) => around(request("discover"), () => client.discover(...args)),
    exec: (...args) => around(request("exec"), () => client.exec(...args)),
    raw: (...args) => around(request("raw"), () => client.raw(...args)),
    get requests() {
      return client.requests;
    },
    close: () => client.close(),
  };
}
