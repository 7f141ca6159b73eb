import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { stringify } from "yaml";
import { type Clock, systemClock } from "../../shared/clock/clock.ts";
import { messageOf } from "../../shared/errors.ts";
import { type Log, silent } from "../../shared/log/log.ts";
import { type Binary, binariesFolder } from "./binaries.ts";
import { Child } from "./child.ts";
import { prepareFiles, writePrivate } from "./files.ts";
import { apiserverFlags, controllerManagerFlags, etcdFlags, type Layout } from "./flags.ts";
import { freePort, HOST, preferredPort } from "./ports.ts";
import { becomesReady } from "./ready.ts";

export interface ControlPlaneOptions {
  /** Runs kube-controller-manager too: garbage collection, namespaces, Deployments, StatefulSets, Jobs. Default false. */
  readonly controllerManager?: boolean;
  /** Keeps everything there, and a later start goes on from it. Default: a temporary folder that `stop` removes. */
  readonly directory?: string;
  /** Port of the API server. Default: the one used last in `directory` if it is free, else any. */
  readonly port?: number;
  /** File for one JSON line a request (level Metadata), without the control plane's own. */
  readonly auditLog?: string;
  /** Admission plugins that are off by default. */
  readonly admissionPlugins?: readonly string[];
  /** Starts parts again that end by themselves. Default false: tests break them on purpose. */
  readonly keepAlive?: boolean;
  /** Folder of the programs. Default: `KUBEBUILDER_ASSETS`. */
  readonly binaries?: string | undefined;
  readonly clock?: Clock;
  readonly log?: Log;
}

const PORT_ATTEMPTS = 3;

/** A kubeconfig with one context. */
export interface Kubeconfig {
  readonly apiVersion: "v1";
  readonly kind: "Config";
  readonly "current-context": string;
  readonly contexts: readonly {
    readonly name: string;
    readonly context: { readonly cluster: string; readonly user: string };
  }[];
  readonly clusters: readonly {
    readonly name: string;
    readonly cluster: { readonly server: string; readonly "certificate-authority-data": string };
  }[];
  readonly users: readonly { readonly name: string; readonly user: { readonly token: string } }[];
}

/** One program: how tests break it. */
export interface ControlPlanePart {
  readonly name: string;
  readonly logFile: string;
  /** Undefined while it does not run. */
  readonly pid: number | undefined;
  /** Resolves when it has ended. Default SIGKILL. */
  kill(signal?: "SIGKILL" | "SIGTERM"): Promise<void>;
  /** Kills it where it runs, starts it, and waits until the API server is ready. */
  restart(): Promise<void>;
  /** SIGSTOP: its connections stay open and nothing answers. */
  freeze(): void;
  thaw(): void;
}

/** A running control plane whose caller is in `system:masters`. */
export interface ControlPlane {
  readonly kubeconfig: Kubeconfig;
  readonly kubeconfigFile: string;
  /** `https://127.0.0.1:<port>`. */
  readonly url: string;
  /** The address of etcd. */
  readonly etcdUrl: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly ca: string;
  readonly token: string;
  readonly directory: string;
  readonly etcd: ControlPlanePart;
  readonly apiserver: ControlPlanePart;
  readonly controllerManager: ControlPlanePart | undefined;
  /** Ends all parts, and removes the folder unless it was given. */
  stop(): Promise<void>;
}

/**
 * Runs etcd and kube-apiserver (and kube-controller-manager) on loopback, ready in about three seconds.
 * The programs die with this process, however it ends.
 *
 * Throws `ControlPlaneError`: `CONTROL_PLANE_BINARIES_MISSING`, `CONTROL_PLANE_PORT_TAKEN`, `CONTROL_PLANE_FAILED`.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  // Asked first, so that a refusal leaves no folder behind.
  if (options.port !== undefined && options.port !== 0) await freePort(options.port);
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(options);
    } catch (error) {
      // Another program may take a free port before we listen on it.
      if (attempt === PORT_ATTEMPTS || !/address already in use/.test(messageOf(error))) throw error;
    }
  }
}

async function startOnce(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { log = silent, clock = systemClock } = options;
  const wanted: Binary[] = [
    "etcd",
    "kube-apiserver",
    ...(options.controllerManager ? (["kube-controller-manager"] as const) : []),
  ];
  const binaries = binariesFolder(options.binaries ?? process.env.KUBEBUILDER_ASSETS, wanted);
  const durable = options.directory !== undefined;
  const directory =
    durable && options.directory
      ? resolve(options.directory)
      : mkdtempSync(join(tmpdir(), "reveille-control-plane-"));
  const files = prepareFiles(directory);
  const layout: Layout = {
    ...files,
    directory,
    etcdPort: await freePort(),
    port: options.port || (await preferredPort(files.lastPort)),
    kubeconfigFile: join(directory, "controller-manager.kubeconfig"),
  };
  const child = (binary: Binary, flags: readonly string[]): Child =>
    new Child({
      program: join(binaries, binary),
      flags,
      logFile: join(directory, `${binary}.log`),
      removeOnDeath: durable ? undefined : directory,
      log,
    });
  const etcd = child("etcd", etcdFlags(layout, durable));
  const apiserver = child(
    "kube-apiserver",
    apiserverFlags(layout, {
      auditLog: options.auditLog === undefined ? undefined : resolve(options.auditLog),
      auditPolicy: files.auditPolicy,
      serviceAccounts: options.controllerManager === true,
      admissionPlugins: options.admissionPlugins ?? [],
    }),
  );
  const controllers = options.controllerManager
    ? child("kube-controller-manager", controllerManagerFlags(layout))
    : undefined;

  // The controllers first, etcd last. Killing kube-apiserver loses nothing, and a polite end would wait a minute for open watches.
  const end = async (): Promise<void> => {
    await Promise.all([controllers?.kill(), apiserver.kill()]);
    await etcd.kill("SIGTERM");
    process.off("exit", abandon);
    if (!durable) rmSync(directory, { recursive: true, force: true });
  };
  const abandon = (): void => {
    for (const part of [controllers, apiserver, etcd]) part?.abandon();
    if (!durable) rmSync(directory, { recursive: true, force: true });
  };
  process.once("exit", abandon);

  const url = `https://${HOST}:${layout.port}`;
  const ready = (): Promise<string> =>
    becomesReady({
      url,
      token: files.token,
      certificate: join(directory, "certs/apiserver.crt"),
      etcd,
      apiserver,
      clock,
    });
  try {
    etcd.start();
    apiserver.start();
    const ca = await ready();
    writeFileSync(join(directory, "certs/ca.crt"), ca);
    writePrivate(join(directory, "port"), String(layout.port));
    const kubeconfig = kubeconfigOf(url, ca, files.token);
    const kubeconfigFile = join(directory, "kubeconfig");
    writePrivate(kubeconfigFile, stringify(kubeconfig));
    writePrivate(layout.kubeconfigFile, stringify(kubeconfigOf(url, ca, files.controllersToken)));
    controllers?.start();
    if (options.keepAlive === true) for (const it of [etcd, apiserver, controllers]) it?.keepAlive(clock);
    log.debug({ url, directory }, "the control plane is ready");
    const part = (it: Child): ControlPlanePart => ({
      name: it.name,
      logFile: it.logFile,
      get pid() {
        return it.pid;
      },
      kill: (signal) => it.kill(signal),
      restart: async () => {
        await it.kill();
        it.start();
        await ready();
      },
      freeze: () => it.freeze(),
      thaw: () => it.thaw(),
    });
    return {
      kubeconfig,
      kubeconfigFile,
      url,
      etcdUrl: `http://${HOST}:${layout.etcdPort}`,
      ca,
      token: files.token,
      directory,
      etcd: part(etcd),
      apiserver: part(apiserver),
      controllerManager: controllers && part(controllers),
      stop: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

const kubeconfigOf = (server: string, ca: string, token: string): Kubeconfig => ({
  apiVersion: "v1",
  kind: "Config",
  "current-context": "reveille",
  contexts: [{ name: "reveille", context: { cluster: "reveille", user: "reveille" } }],
  clusters: [
    {
      name: "reveille",
      cluster: { server, "certificate-authority-data": Buffer.from(ca).toString("base64") },
    },
  ],
  users: [{ name: "reveille", user: { token } }],
});
