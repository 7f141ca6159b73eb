import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Child } from "../../infra/control-plane/child.ts";
import { ControlPlaneError } from "../../infra/control-plane/errors.ts";
import { freePort, HOST } from "../../infra/control-plane/ports.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { silent } from "../../shared/log/log.ts";
import { passwordOf } from "./pods.ts";

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: object;
    readonly secretKeyRef?: { readonly key: string };
  };
}

/** A pod of the chart's NATS, as a server of this machine. */
export interface NatsPod {
  readonly name: string;
  readonly routePort: number;
  /** Whether its JetStream has a leader, which takes a majority of servers. */
  isHealthy(): Promise<boolean>;
  /** The other servers that it has routes to. */
  peers(): Promise<readonly string[]>;
  /** What it wrote so far. */
  log(): string;
  /** Rejects with what it wrote last as soon as it has ended; never resolves. */
  failure(): Promise<never>;
  stop(): Promise<void>;
}

/** Starts what the StatefulSet would run, with its own configuration and environment, where addresses become those of this machine. */
export async function startNatsPods(
  objects: readonly KubeObject[],
  { tls }: { /** The Secret's files. */ readonly tls?: string } = {},
): Promise<readonly NatsPod[]> {
  const { replicas, env } = natsOf(objects);
  const names = Array.from({ length: replicas }, (_, index) => `reveille-nats-${index}`);
  const ports = await Promise.all(names.map(() => quietPort()));
  const onThisMachine = (text: string): string =>
    text.replaceAll(
      /reveille-nats-(\d)\.reveille-nats\.reveille\.svc:6222/g,
      (_, index: string) => `${HOST}:${ports[Number(index)]}`,
    );
  return ports.map((routePort, index) => {
    const name = names[index] ?? "";
    const folder = mkdtempSync(join(tmpdir(), `${name}-`));
    const file = join(folder, "nats.conf");
    writeFileSync(
      file,
      onThisMachine(configurationOf(objects))
        .replace("0.0.0.0:6222", `${HOST}:${routePort}`)
        // Any that is free: nobody has to know it before.
        .replaceAll(/0\.0\.0\.0:(4222|8222)/g, `${HOST}:-1`)
        .replaceAll("/etc/nats-tls/", `${tls}/`)
        .replaceAll(/(store_dir: |pid_file: )\/(data|run\/nats)/g, `$1${folder}`),
    );
    const environment = environmentOf(env, name);
    const child = new Child({
      program: "nats-server",
      flags: ["--config", file],
      environment: Object.fromEntries(
        Object.entries(environment).map(([variable, value]) => [variable, onThisMachine(value)]),
      ),
      logFile: join(folder, "server.log"),
      removeOnDeath: folder,
      log: silent,
    });
    child.start();
    const log = (): string => readFileSync(child.logFile, "utf8");
    const ask = (path: string): Promise<Response> =>
      fetch(`http://${/Starting http monitor on (\S+)/.exec(log())?.[1]}/${path}`);
    return {
      name,
      routePort,
      log,
      failure: () => child.failure(),
      async isHealthy() {
        try {
          return (await ask("healthz")).ok;
        } catch {
          // It does not listen yet.
          return false;
        }
      },
      async peers() {
        const answer = await ask("routez");
        const { routes } = (await answer.json()) as {
          readonly routes: readonly { readonly remote_name: string }[];
        };
        return [...new Set(routes.map(({ remote_name }) => remote_name))].sort();
      },
      async stop() {
        await child.kill();
        rmSync(folder, { recursive: true });
      },
    };
  });
}

/** Of those that no connection gets by itself: servers that look for one another make many before all of them listen. */
async function quietPort(): Promise<number> {
  for (;;) {
    try {
      return await freePort(randomInt(15_000, 30_000));
    } catch (error) {
      // Taken: the next one.
      if (!(error instanceof ControlPlaneError)) throw error;
    }
  }
}

/** What the server is started with, as kubelet resolves it: from the Secret, and from variables that stand before. */
export function environmentOf(env: readonly Variable[], pod: string): Readonly<Record<string, string>> {
  const known: Record<string, string> = {};
  for (const { name, value = "", valueFrom } of env) {
    const { fieldRef, secretKeyRef } = valueFrom ?? {};
    if (fieldRef !== undefined) known[name] = pod;
    else if (secretKeyRef !== undefined) known[name] = passwordOf(secretKeyRef.key);
    else known[name] = value.replaceAll(/\$\((\w+)\)/g, (whole, other: string) => known[other] ?? whole);
  }
  return known;
}

export function natsOf(objects: readonly KubeObject[]): {
  readonly replicas: number;
  readonly env: readonly Variable[];
} {
  const { spec } = objectOf(objects, "StatefulSet");
  const { replicas, template } = spec as {
    readonly replicas: number;
    readonly template: {
      readonly spec: { readonly containers: readonly { readonly env: readonly Variable[] }[] };
    };
  };
  return { replicas, env: template.spec.containers.flatMap((container) => container.env) };
}

export const configurationOf = (objects: readonly KubeObject[]): string =>
  (objectOf(objects, "ConfigMap").data as Readonly<Record<string, string>>)["nats.conf"] ?? "";

function objectOf(objects: readonly KubeObject[], kind: string): KubeObject {
  const found = objects.find((one) => one.kind === kind && one.metadata.name === "reveille-nats");
  if (found === undefined) throw new Error(`the chart has no ${kind} reveille-nats`);
  return found;
}

/** A folder with what the Secret of TLS holds, for servers of this machine. */
export function makeCertificate(): string {
  const folder = mkdtempSync(join(tmpdir(), "nats-tls-"));
  mkdirSync(join(folder, "authority"));
  const authorityKey = join(folder, "authority", "ca.key");
  const openssl = (...args: readonly string[]): void => {
    execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  };
  const pair = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  openssl("req", "-x509", ...pair, "-subj", "/CN=authority", "-keyout", authorityKey, "-out", "ca.crt");
  openssl(
    "req",
    "-x509",
    ...pair,
    ...["-CA", "ca.crt", "-CAkey", authorityKey, "-subj", "/CN=nats"],
    ...["-addext", `subjectAltName=IP:${HOST}`, "-addext", "extendedKeyUsage=serverAuth,clientAuth"],
    ...["-addext", "basicConstraints=critical,CA:FALSE", "-keyout", "tls.key", "-out", "tls.crt"],
  );
  return folder;
}
