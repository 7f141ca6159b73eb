import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type Clock, systemClock } from "../../shared/clock/clock.ts";
import { messageOf } from "../../shared/errors.ts";
import { fieldOf } from "../../shared/json/fields.ts";
import { Reflector } from "../../shared/kube/client/reflector.ts";
import { WorkQueue } from "../../shared/kube/client/work-queue.ts";
import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { type Log, silent } from "../../shared/log/log.ts";
import { createAuthority } from "../../shared/tls/index.ts";
import { answerExec, refuseExec } from "./exec-socket.ts";
import { PodFilesError, played, runs } from "./pod-files.ts";

const NODE = "simulated";
const HOST = "127.0.0.1";
const NODES: Resource = { group: "", version: "v1", kind: "Node", plural: "nodes", scope: "Cluster" };
const PODS: Resource = { group: "", version: "v1", kind: "Pod", plural: "pods", scope: "Namespaced" };
const WORKLOADS: readonly string[] = [
  "DaemonSet",
  "Job",
  "ReplicaSet",
  "ReplicationController",
  "StatefulSet",
];

/** A node that runs nothing, and answers commands as if it did. */
export interface Kubelet {
  stop(): Promise<void>;
}

/**
 * Plays the kubelet of a Node beside a real API server, which sends commands (`pods/exec`) there. It takes pods that run and that no
 * workload controls; these end at once when they are deleted. What their files hold is played (`pod-files.ts`).
 */
export async function startKubelet(options: {
  readonly client: KubeClient;
  readonly clock?: Clock;
  readonly log?: Log;
}): Promise<Kubelet> {
  const { client, clock = systemClock, log = silent } = options;
  const { certificate: cert, key } = createAuthority().issue({ commonName: NODE, serverNames: [HOST] });
  const server = createServer({ cert, key });
  const sockets = new Set<Socket>();
  server.on("secureConnection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  const pods = new Reflector<KubeObject>({
    client,
    resource: PODS,
    clock,
    log,
    keep: (pod) => pod,
    changed: (pod) => queue.add(pod.metadata.uid ?? ""),
  });
  const queue: WorkQueue = new WorkQueue({
    clock,
    log,
    work: async (uid) => {
      const pod = pods.get(uid);
      if (pod !== undefined) await take(client, pod);
    },
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", (error) => log.debug({ error: messageOf(error) }, "a connection broke"));
    const answer = async (): Promise<void> => {
      const { pathname, searchParams } = new URL(request.url ?? "", "https://node");
      const [, , namespace = "", name = "", container = ""] = pathname.split("/").map(decodeURIComponent);
      const found = [...pods.values()].find(
        ({ metadata }) => metadata.namespace === namespace && metadata.name === name,
      );
      if (found === undefined || !runs(found, container))
        refuseExec(socket, 500, "Internal Server Error", JSON.stringify({ message: "container not found" }));
      else await answerExec(request, socket, head, played(found, container, searchParams.getAll("command")));
    };
    answer().catch((error: unknown) => {
      const isTheirs = error instanceof PodFilesError || error instanceof URIError;
      if (!isTheirs) log.error({ error: messageOf(error) }, "a command could not be answered");
      const [code, reason] = isTheirs ? [400, "Bad Request"] : [500, "Internal Server Error"];
      refuseExec(socket, code, reason, JSON.stringify({ message: messageOf(error) }));
    });
  });
  server.listen(0, HOST);
  await once(server, "listening");
  await register(client, (server.address() as AddressInfo).port);
  await pods.synced;
  return {
    stop: async () => {
      await Promise.all([pods.stop(), queue.stop()]);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function register(client: KubeClient, port: number): Promise<void> {
  const manager = { fieldManager: "reveille-simulator", force: true };
  const node = { apiVersion: "v1", kind: "Node", metadata: { name: NODE } };
  await client.apply(NODES, node.metadata, node, manager);
  const status = {
    addresses: [{ type: "InternalIP", address: HOST }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
    conditions: [{ type: "Ready", status: "True", reason: "Simulated", message: "nothing runs here" }],
  };
  await client.apply(NODES, node.metadata, { ...node, status }, { ...manager, subresource: "status" });
}

/** Pods of workloads are left to whoever plays those. */
async function take(client: KubeClient, { metadata, spec, status }: KubeObject): Promise<void> {
  const { namespace = "", name, uid, ownerReferences = [], deletionTimestamp } = metadata;
  const node = fieldOf(spec, "nodeName");
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}`;
  if (deletionTimestamp !== undefined && node === NODE) {
    const body = { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 0, preconditions: { uid } };
    await client.raw("DELETE", path, { body });
    return;
  }
  const isControlled = ownerReferences.some(
    ({ kind, controller }) => controller === true && WORKLOADS.includes(kind),
  );
  if (node !== undefined || isControlled || deletionTimestamp !== undefined) return;
  if (fieldOf(status, "phase") !== "Running") return;
  const target = { apiVersion: "v1", kind: "Node", name: NODE };
  const body = { apiVersion: "v1", kind: "Binding", metadata: { name }, target };
  await client.raw("POST", `${path}/binding`, { body });
}
