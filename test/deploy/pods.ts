import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { eventually } from "../../infra/testing/eventually.ts";
import { type NatsServer, startNatsServer } from "../../infra/testing/nats-server.ts";
import type { TestApi } from "../../infra/testing/test-api.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { tokenOf } from "./accounts.ts";

const root = join(import.meta.dirname, "../..");
const READY_MILLISECONDS = 60_000;

interface Container {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
}
interface PodSpec {
  readonly serviceAccountName: string;
  readonly containers: readonly Container[];
}

/** A pod of the chart, as a process of this machine. */
export interface Pod {
  readonly name: string;
  readonly pid: number;
  /** What it wrote so far. */
  log(): string;
  /** Its resident memory now, in MiB. */
  resident(): number;
}

/** The addresses and files of this machine that stand for those of a cluster where the API server asks. */
export interface AskedAt {
  /** The address where the API server reaches `serve`. */
  readonly listen: string;
  /** The folder of the mounted Secret with the certificate. */
  readonly certificates: string;
  /** Resolves once the pods have put something into the Secret, and it is in that folder. */
  mount(): Promise<void>;
}

/** The chart's NATS and pods, each process with the environment, settings, token and password of its pod. */
export interface Pods {
  readonly nats: NatsServer;
  readonly all: readonly Pod[];
  /** Ends the pods of a name without a farewell. */
  kill(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** A user of the bus for whoever looks at it in a test. */
export const OBSERVER = "observer";
export const passwordOf = (part: string): string => `p-${part}`;

/** Starts what the rendered objects would run, where paths and addresses of a cluster become those of this machine. */
export async function startPods(
  objects: readonly KubeObject[],
  api: TestApi,
  namespace: string,
  asked?: AskedAt,
): Promise<Pods> {
  const folder = mkdtempSync(join(tmpdir(), "reveille-pods-"));
  const program = build();
  const nats = await startNatsServer({
    configuration: authorizationOf(objects),
    waits: false,
  });
  const children: ChildProcess[] = [];
  const all: Pod[] = [];
  // However the test ends, nothing goes on without it.
  const abandon = (): void => {
    for (const child of children) child.kill("SIGKILL");
  };
  process.once("exit", abandon);
  const stop = async (): Promise<void> => {
    const ends = children.map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    });
    await Promise.all(ends);
    process.off("exit", abandon);
    await nats.stop();
    rmSync(folder, { recursive: true });
    rmSync(join(program, "../../.."), { recursive: true });
  };
  try {
    for (const { name, part, pod, container, index } of podsIn(objects)) {
      const at = join(folder, `${name}-${index}`);
      const file = (extension: string): string => `${at}.${extension}`;
      writeFileSync(
        file("kubeconfig"),
        stringify(await kubeconfigOf(api, namespace, pod.serviceAccountName)),
      );
      writeFileSync(file("credential"), passwordOf(part), { mode: 0o600 });
      writeFileSync(file("yaml"), settingsOf(objects, nats.url, file("ledger"), asked));
      const output = openSync(file("log"), "a");
      const child = spawn(process.execPath, [program, ...container.args], {
        stdio: ["ignore", output, output],
        env: {
          PATH: process.env.PATH,
          ...imageEnvironment(),
          ...Object.fromEntries(container.env.map((one) => [one.name, one.value])),
          REVEILLE_CONFIG: file("yaml"),
          REVEILLE_CLUSTER_KUBECONFIG: file("kubeconfig"),
          REVEILLE_BUS_NATS_PASSWORD_FILE: file("credential"),
          REVEILLE_HEALTH_LISTEN: "127.0.0.1:0",
        },
      });
      children.push(child);
      const { pid } = child;
      if (pid === undefined) throw new Error(`${name} did not start`);
      all.push({
        name: `${name}-${index}`,
        pid,
        log: () => readFileSync(file("log"), "utf8"),
        resident: () =>
          Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024,
      });
    }
    await asked?.mount();
    for (const pod of all)
      await eventually(
        `${pod.name} to be ready`,
        async () => {
          const url = /"health":"(http:[^"]+)"/.exec(pod.log())?.[1];
          return url !== undefined && (await fetch(`${url}/readyz`)).ok;
        },
        READY_MILLISECONDS,
      ).catch((error: unknown) => {
        throw new Error(`${String(error)}; it wrote last: ${pod.log().slice(-2000)}`);
      });
  } catch (error) {
    await stop();
    throw error;
  }
  const kill = async (name: string): Promise<void> => {
    for (const { pid } of all.filter((pod) => pod.name.startsWith(`${name}-`))) {
      const child = children.find((one) => one.pid === pid);
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }
  };
  return { nats, all, kill, stop };
}

/** The program as the image has it: JavaScript, since stripping types takes 30 MiB in each process. */
function build(): string {
  const cache = join(root, "node_modules/.cache/reveille");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "build-"));
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  // Whether types fit is for `npm run check` to say.
  spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json", "--outDir", folder], { cwd: root });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", version: "0.0.0" }));
  return join(folder, "infra/cli/main.js");
}

/** The image's own environment. */
function imageEnvironment(): Readonly<Record<string, string>> {
  const containerfile = readFileSync(join(root, "infra/deploy/Containerfile"), "utf8");
  const [, words = ""] = /^ENV (.+)$/m.exec(containerfile) ?? [];
  return Object.fromEntries(
    [...words.matchAll(/(\w+)=(\S+)/g)].map(([, name = "", value = ""]) => [name, value]),
  );
}

/** Every replica of every pod but those of NATS. */
function* podsIn(objects: readonly KubeObject[]) {
  for (const { kind, metadata, spec } of objects) {
    if (kind !== "Deployment" && kind !== "StatefulSet") continue;
    const { replicas = 1, template } = spec as {
      readonly replicas?: number;
      readonly template: { readonly spec: PodSpec };
    };
    const [container] = template.spec.containers;
    const part = metadata.labels?.["app.kubernetes.io/component"];
    if (container === undefined || part === undefined || part === "nats") continue;
    for (let index = 0; index < replicas; index++)
      yield { name: metadata.name, part, pod: template.spec, container, index };
  }
}

function configMap(objects: readonly KubeObject[], name: string, key: string): string {
  const found = objects.find(({ kind, metadata }) => kind === "ConfigMap" && metadata.name === name);
  const text = (found?.data as Readonly<Record<string, string>> | undefined)?.[key];
  if (text === undefined) throw new Error(`the chart has no ConfigMap ${name} with ${key}`);
  return text;
}

/** The users of the chart's NATS, with their passwords in place of the server's environment. */
function authorizationOf(objects: readonly KubeObject[]): string {
  const [, users = ""] = configMap(objects, "reveille-nats", "nats.conf").split(/^(?=authorization )/m);
  return users
    .replaceAll(
      /user: "reveille-([^"]+)"\n(\s+)password: \$\w+/g,
      (_, part: string, indent: string) =>
        `user: "reveille-${part}"\n${indent}password: ${JSON.stringify(passwordOf(part))}`,
    )
    .replace(
      "users: [",
      `users: [\n{ user: ${OBSERVER}, password: ${JSON.stringify(passwordOf(OBSERVER))} }`,
    );
}

function settingsOf(
  objects: readonly KubeObject[],
  server: string,
  ledger: string,
  asked: AskedAt | undefined,
): string {
  const settings = parse(configMap(objects, "reveille-settings", "reveille.yaml")) as {
    readonly bus: { readonly nats: object };
    readonly watcher: object;
    readonly serve: object;
  };
  return stringify({
    ...settings,
    bus: { ...settings.bus, nats: { ...settings.bus.nats, servers: [server] } },
    watcher: { ...settings.watcher, ledger },
    serve: {
      ...settings.serve,
      listen: "127.0.0.1:0",
      ...(asked !== undefined && {
        admission: {
          listen: asked.listen,
          certificate: join(asked.certificates, "tls.crt"),
          key: join(asked.certificates, "tls.key"),
        },
      }),
    },
  });
}

const kubeconfigOf = async (api: TestApi, namespace: string, account: string): Promise<object> => ({
  apiVersion: "v1",
  kind: "Config",
  "current-context": "pod",
  contexts: [{ name: "pod", context: { cluster: "pod", user: "pod" } }],
  clusters: [
    {
      name: "pod",
      cluster: {
        server: api.connection.server,
        "certificate-authority-data": Buffer.from(api.connection.tls.ca ?? "").toString("base64"),
      },
    },
  ],
  users: [{ name: "pod", user: { token: await tokenOf(api.client, namespace, account) } }],
});
