import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { reveilleHere } from "../../../infra/testing/in-process.ts";
import { installKinds } from "../../../infra/testing/install-crds.ts";
import { kubeconfigOf } from "../../../infra/testing/kubeconfig.ts";
import { startTestApi, type TestApi } from "../../../infra/testing/test-api.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { type Kind, resourceOf } from "../../../shared/kube/kind.ts";
import { Kyma, KymaPolicy, Manifest, ModuleReleaseMeta, ModuleTemplate } from "../kinds/index.ts";

const BY = { fieldManager: "test" } as const;

/** The fields of an object that a test makes. */
export interface Fields {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly spec?: object;
  readonly status?: object;
}

/** A control plane with a namespace for each test, and the command line there. */
export interface CommandsStage {
  readonly client: KubeClient;
  /** The namespace of the present test. */
  readonly namespace: string;
  /** Runs `reveille kyma` in that namespace. */
  there(...words: readonly string[]): ReturnType<typeof reveilleHere>;
  put(kind: Kind, name: string, fields: Fields): Promise<void>;
  /** Writes a file, and gives its path. */
  file(name: string, text: string): Promise<string>;
}

/** Starts it before the tests of a file, and ends it after them. */
export function commandsStage(): CommandsStage {
  let api: TestApi;
  let folder = "";
  let kubeconfig = "";
  let namespaces = 0;
  beforeAll(async () => {
    api = await startTestApi({ api: "local", controllers: false });
    await installKinds(api.client, [Kyma, KymaPolicy, Manifest, ModuleReleaseMeta, ModuleTemplate]);
    folder = await mkdtemp(join(tmpdir(), "kyma-commands-"));
    kubeconfig = join(folder, "kubeconfig");
    await writeFile(kubeconfig, await kubeconfigOf(api.connection));
  });
  afterAll(async () => {
    await api.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const stage: CommandsStage = {
    get client() {
      return api.client;
    },
    get namespace() {
      return `team-${namespaces}`;
    },
    there: (...words) => reveilleHere(["kyma", ...words, "-n", stage.namespace, "--kubeconfig", kubeconfig]),
    async put(kind, name, { spec, status, ...metadata }) {
      const { client, namespace } = stage;
      const object = {
        apiVersion: `${kind.group}/${kind.version}`,
        kind: kind.kind,
        metadata: { name, namespace, ...metadata },
        ...(spec && { spec }),
      };
      await client.create(resourceOf(kind), object, BY);
      if (status === undefined) return;
      const by = { ...BY, subresource: "status" } as const;
      await client.patch(resourceOf(kind), { name, namespace }, "merge", { status }, by);
    },
    async file(name, text) {
      await writeFile(join(folder, name), text);
      return join(folder, name);
    },
  };
  beforeEach(async () => {
    namespaces += 1;
    await api.client.create(
      { group: "", version: "v1", kind: "Namespace", plural: "namespaces", scope: "Cluster" },
      { apiVersion: "v1", kind: "Namespace", metadata: { name: stage.namespace } },
      BY,
    );
  });
  return stage;
}
