import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Clock, systemClock } from "../../shared/clock/clock.ts";
import { messageOf } from "../../shared/errors.ts";
import { type Log, silent } from "../../shared/log/log.ts";
import { Caller, type ServiceAt } from "./admission/call.ts";
import { Hooks } from "./admission/hooks.ts";
import { builtInTypes } from "./builtin/index.ts";
import { followDefinitions } from "./crd/lifecycle.ts";
import type { Kernel, WriteRequest } from "./kernel.ts";
import { lifecycles } from "./lifecycles.ts";
import { Catalogue } from "./registry.ts";
import type { ApiUser, Faces } from "./resource-type.ts";
import { create } from "./rest/create.ts";
import { remove } from "./rest/delete.ts";
import { makeFirstObjects } from "./rest/first-objects.ts";
import { makeFirstNamespaces } from "./rest/namespaces.ts";
import { identityIn } from "./server/identity.ts";
import { serve } from "./server/server.ts";
import { authenticateTokens, type TokenUser } from "./server/users.ts";
import { Store, type StoredEvent, StoreError } from "./store/store.ts";
import { Hub } from "./watch/hub.ts";

export interface LocalApiOptions {
  /** The folder of objects, authority and token. Absent: in memory, gone at the end. */
  readonly directory?: string | undefined;
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined;
  /** Default: a free one. */
  readonly port?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly log?: Log | undefined;
  /** Users beside the administrator of the kubeconfig. */
  readonly users?: readonly TokenUser[] | undefined;
  /** The addresses of Services whose webhooks are called. Default: none is reached; webhooks with a url are. */
  readonly serviceAt?: ServiceAt | undefined;
  /** Discovery, tables and the like. */
  readonly faces?: Partial<Faces> | undefined;
}

/** A kubeconfig as an object: write it as YAML or JSON. */
export interface LocalKubeconfig {
  readonly apiVersion: "v1";
  readonly kind: "Config";
  readonly clusters: readonly {
    readonly name: string;
    readonly cluster: { readonly server: string; readonly "certificate-authority-data": string };
  }[];
  readonly users: readonly { readonly name: string; readonly user: { readonly token: string } }[];
  readonly contexts: readonly {
    readonly name: string;
    readonly context: { readonly cluster: string; readonly user: string; readonly namespace: string };
  }[];
  readonly "current-context": string;
}

export interface LocalApi {
  readonly url: string;
  readonly port: number;
  readonly kubeconfig: LocalKubeconfig;
  /** The options that a client needs. */
  readonly clientOptions: { readonly server: string; readonly ca: string; readonly token: string };
  close(): Promise<void>;
}

const administrator: ApiUser = { username: "reveille-admin", groups: ["system:masters"] };
const name = "reveille-local";

/**
 * Starts a small Kubernetes API for development. Everybody who has a token may do everything; RBAC is kept, not enforced.
 * Throws a `StoreError` or `ListenError` that says what to do.
 */
export async function startLocalApi(options: LocalApiOptions = {}): Promise<LocalApi> {
  const { directory, host = "127.0.0.1", port = 0 } = options;
  if (directory !== undefined) makeFolder(directory);
  const { authority, token } = identityIn(directory);
  const store = new Store(directory === undefined ? ":memory:" : join(directory, "objects.db"));
  const { kernel, close } = startKernel(store, options);
  const users = [{ ...administrator, token }, ...(options.users ?? [])];
  const pair = authority.issue({
    commonName: name,
    serverNames: [...new Set([host, "127.0.0.1", "::1", "localhost"])],
  });
  try {
    const server = await serve(
      { kernel, faces: options.faces ?? {} },
      authenticateTokens(users),
      pair,
      host,
      port,
    );
    makeFirstObjects(kernel, server.port);
    const url = `https://${host.includes(":") ? `[${host}]` : host}:${server.port}`;
    return {
      url,
      port: server.port,
      kubeconfig: kubeconfigOf(url, authority.certificate, token),
      clientOptions: { server: url, ca: authority.certificate, token },
      async close() {
        kernel.hub.close();
        await server.close();
        close();
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Starts what serves the objects of a store. */
export function startKernel(
  store: Store,
  { clock = systemClock, log = silent, serviceAt }: Pick<LocalApiOptions, "clock" | "log" | "serviceAt">,
): { readonly kernel: Kernel; readonly close: () => void } {
  const hub = new Hub(store);
  const webhooks = { hooks: new Hooks(store), caller: new Caller(serviceAt) };
  const registry = new Catalogue(store, builtInTypes, lifecycles);
  const kernel: Kernel = { store, hub, registry, clock, log, webhooks };
  const followed = follow(kernel);
  const namespaces = registry.find("", "v1", "namespaces");
  if (namespaces !== undefined)
    makeFirstNamespaces(kernel, namespaces, (type, object) => {
      create(kernel, { ...serverWrite, type, warnings: [] }, object);
    });
  return {
    kernel,
    close: () => {
      followed();
      webhooks.hooks.stop();
      webhooks.caller.close();
      hub.close();
      store.close();
    },
  };
}

const serverWrite: Omit<WriteRequest, "type" | "warnings"> = {
  namespace: undefined,
  subresource: undefined,
  fieldManager: "reveille-local",
  fieldValidation: "Ignore",
  dryRun: false,
  user: { username: "system:apiserver", groups: ["system:masters"] },
};

/** Follows CRDs after each change; changes that this makes itself come after the one that caused them. */
function follow(kernel: Kernel): () => void {
  const follower = followDefinitions(kernel, (type, { metadata }) => {
    const request = { ...serverWrite, type, namespace: metadata.namespace, warnings: [] };
    remove(kernel, request, metadata.name, {
      uid: metadata.uid,
      resourceVersion: undefined,
      propagationPolicy: undefined,
      gracePeriodSeconds: undefined,
      dryRun: false,
    });
  });
  const waiting: StoredEvent[] = [];
  let busy = false;
  return kernel.store.subscribe((event) => {
    waiting.push(event);
    if (busy) return;
    busy = true;
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) follower(next);
    } finally {
      busy = false;
    }
  });
}

function makeFolder(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StoreError(
      "LOCAL_API_STORE",
      `cannot make the folder ${directory} for the local API: ${messageOf(error)}. Name another with --data`,
      { cause: error },
    );
  }
}

function kubeconfigOf(server: string, ca: string, token: string): LocalKubeconfig {
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      { name, cluster: { server, "certificate-authority-data": Buffer.from(ca).toString("base64") } },
    ],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: "default" } }],
    "current-context": name,
  };
}
