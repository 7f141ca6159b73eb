import { type Request, wrapClient } from "../../../infra/testing/wrapped-client.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { Secret } from "../../../shared/kube/kinds/index.ts";
import { Manifest } from "../kinds/index.ts";

/** The requests to runtimes that fail. */
interface RuntimeRefusal {
  readonly verb: "list" | "patch";
  readonly kind: string;
}

/** The requests of functions, as a test hears and refuses them. */
export interface HeardRequests {
  /** Has runtimes fail to list objects of a kind, or to patch them, until it is called with none. */
  refuses(refusal: RuntimeRefusal | undefined): void;
  /** Has the lists of Secrets fail, or lets them again. */
  failSecrets(fail: boolean): void;
  /** The requests of functions to runtimes since the last call. */
  asked(): readonly Request[];
  /** The Manifests, and by their names the objects in runtimes, that functions deleted since the last call, in order. */
  deleted(): readonly string[];
}

/** Clients through which requests are heard: those of the control plane, and those of runtimes. */
export function heardRequests(): HeardRequests & {
  readonly ofHome: (client: KubeClient) => KubeClient;
  readonly ofRuntimes: (client: KubeClient) => KubeClient;
} {
  let asked: Request[] = [];
  let deleted: string[] = [];
  let failsSecrets = false;
  let refusal: RuntimeRefusal | undefined;
  const refuse = (verb: RuntimeRefusal["verb"], kind: string): void => {
    if (verb === refusal?.verb && kind === refusal.kind)
      throw new KubeError("unavailable", "The test does not let that pass.", { request: verb });
  };
  const refusing = (client: KubeClient): KubeClient => {
    const told = wrapClient(client, (request, send) => {
      asked.push(request);
      return send();
    });
    return {
      ...told,
      get requests() {
        return client.requests;
      },
      list: async (...args) => {
        refuse("list", args[0].kind);
        return told.list(...args);
      },
      pages: async function* (...args) {
        refuse("list", args[0].kind);
        yield* told.pages(...args);
      },
      patch: async (...args) => {
        refuse("patch", args[0].kind);
        return told.patch(...args);
      },
    };
  };
  const noting = (
    client: KubeClient,
    nameOf: (kind: string, name: string) => string | undefined,
  ): KubeClient => ({
    ...wrapClient(client, (_, send) => send()),
    get requests() {
      return client.requests;
    },
    list: (resource, ...rest) => {
      if (failsSecrets && resource.kind === Secret.kind)
        throw new KubeError("unavailable", "The test lets no Secret be listed.", { request: "list" });
      return client.list(resource, ...rest);
    },
    delete: (resource, place, ...rest) => {
      const name = nameOf(resource.kind, place.name);
      if (name !== undefined) deleted.push(name);
      return client.delete(resource, place, ...rest);
    },
  });
  return {
    ofHome: (client) => noting(client, (kind) => (kind === Manifest.kind ? kind : undefined)),
    ofRuntimes: (client) => noting(refusing(client), (_, name) => name),
    refuses: (next) => {
      refusal = next;
    },
    failSecrets: (fail) => {
      failsSecrets = fail;
    },
    asked: () => {
      const taken = asked;
      asked = [];
      return taken;
    },
    deleted: () => {
      const taken = deleted;
      deleted = [];
      return taken;
    },
  };
}
