import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { stringify } from "yaml";
import { applyCrds, planCrds } from "../../infra/cli/install/crds.ts";
import { faces } from "../../infra/local/faces/index.ts";
import { type LocalApi, startLocalApi } from "../../infra/local/index.ts";
import { ownKindsOf } from "../../infra/systems/declared.ts";
import {
  type Ending,
  type Running,
  startReveille,
  temporaryFolder,
} from "../../infra/testing/command-line.ts";
import { connectionTo } from "../../infra/testing/control-plane.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import { createKubeClient } from "../../shared/kube/http-client.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import { trouble } from "./troubles.ts";

export const troubles: Resource = {
  group: "hosts.example.org",
  version: "v1",
  kind: "Trouble",
  plural: "troubles",
  scope: "Namespaced",
};

/** A host that runs as a process of its own. */
export interface HostProcess extends Running {
  /** The answer of `/healthz`, `/readyz` or `/metrics`. */
  ask(path: string): Promise<{ readonly status: number; readonly text: string }>;
  /** Resolves when `/readyz` answers so, with what it says. */
  readyz(status: 200 | 503, saying?: RegExp): Promise<string>;
  /** A metric's value; undefined where it is not there. */
  metric(name: string): Promise<number | undefined>;
}

/** An API server that may go and come back, a bus on a file, and processes on both. */
export class Stage {
  readonly folder: string;
  readonly kubeconfig: string;
  readonly busFile: string;
  readonly #t: Ending;
  #api: LocalApi | undefined;
  #port = 0;
  #client: KubeClient | undefined;

  private constructor(t: Ending) {
    this.#t = t;
    this.folder = temporaryFolder(t);
    this.kubeconfig = join(this.folder, "kubeconfig");
    this.busFile = join(this.folder, "bus.db");
  }

  static async open(t: Ending): Promise<Stage> {
    const stage = new Stage(t);
    await stage.startApi();
    await applyCrds(stage.client, await planCrds(stage.client, ownKindsOf([trouble])), systemClock);
    t.onTestFinished(() => stage.stopApi());
    return stage;
  }

  get client(): KubeClient {
    if (this.#client === undefined) throw new Error("The API server does not run.");
    return this.#client;
  }

  /** At the address of last time, with all that it knew. */
  async startApi(): Promise<void> {
    this.#api = await startLocalApi({ directory: join(this.folder, "api"), port: this.#port, faces });
    this.#port = this.#api.port;
    writeFileSync(this.kubeconfig, stringify(this.#api.kubeconfig), { mode: 0o600 });
    const { server: url, ca, token } = this.#api.clientOptions;
    this.#client = createKubeClient({ connection: connectionTo({ url, ca, token }) });
  }

  async stopApi(): Promise<void> {
    this.#client?.close();
    await this.#api?.close();
    this.#client = undefined;
    this.#api = undefined;
  }

  /** Starts a host; resolves when it listens. */
  async host(words: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<HostProcess> {
    const functions = ["--systems", "none", "--functions", join(import.meta.dirname, "troubles.ts")];
    const command = [...words, ...(words.includes("--systems") ? [] : functions)];
    const running = startReveille(this.#t, [...command, "--kubeconfig", this.kubeconfig], {
      REVEILLE_BUS_EMBEDDED_FILE: this.busFile,
      REVEILLE_WATCHER_LEDGER: join(this.folder, "ledger.db"),
      ...environment,
    });
    await running.says('"listening"');
    const url = /"health":"([^"]+)"/.exec(running.stdout())?.[1] ?? "";
    const ask: HostProcess["ask"] = async (path) => {
      const response = await fetch(url + path);
      return { status: response.status, text: await response.text() };
    };
    return {
      ...running,
      ask,
      async readyz(status, saying = /^/) {
        let last = "";
        return eventually(`/readyz answers ${status} ${saying}`, async () => {
          const answer = await ask("/readyz");
          last = `${answer.status} ${answer.text}`;
          return answer.status === status && saying.test(answer.text) ? answer.text : undefined;
        }).catch((thrown: unknown) => {
          throw new Error(`${String(thrown)}; it said ${last}\n${running.stdout()}`);
        });
      },
      async metric(name) {
        const { text } = await ask("/metrics");
        const line = text.split("\n").find((one) => one.startsWith(`${name} `));
        return line === undefined ? undefined : Number(line.slice(name.length + 1));
      },
    };
  }

  /** Makes a Trouble. */
  make(name: string, spec: object): Promise<KubeObject> {
    const body = {
      apiVersion: "hosts.example.org/v1",
      kind: "Trouble",
      metadata: { name, namespace: "default" },
      spec,
    };
    return this.client.create(troubles, body, { fieldManager: "people" });
  }

  /** What its status says; undefined where it says nothing. */
  async says(name: string): Promise<string | undefined> {
    const object = await this.client.get(troubles, { namespace: "default", name });
    return (object?.status as { readonly how?: string } | undefined)?.how;
  }
}
