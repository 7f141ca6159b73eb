import { afterAll, beforeAll, type TestContext } from "vitest";
import { defineSystem, each } from "../../index.ts";
import { installKinds, type Stack, startStack } from "../../infra/testing/stack.ts";
import { startTestApi, type TestApi } from "../../infra/testing/test-api.ts";
import type { FunctionDeclaration, System } from "../../shared/function/index.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";
import { Pump, Tank } from "./kinds.ts";

export const TANKS = resourceOf(Tank);
export const PUMPS = resourceOf(Pump);
export const MAPS = resourceOf(ConfigMap);
export const at = (name: string) => ({ namespace: "default", name });

/** One local API for a suite, and an engine for each test that leaves no tank or pump behind. */
export interface Stage {
  readonly client: KubeClient;
  /** Runs these functions, or this system, until the test ends. */
  run(
    t: TestContext,
    functions: readonly FunctionDeclaration[] | System,
    more?: Omit<Parameters<typeof startStack>[0], "api" | "systems">,
  ): Promise<Stack>;
  statusOf(name: string): Promise<Readonly<Record<string, unknown>> | undefined>;
}

/**
 * To be called inside `describe`.
 * @param controllers false: no workloads become ready, and nothing is collected
 */
export function stage({ controllers = true }: { readonly controllers?: boolean } = {}): Stage {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ api: "local", controllers });
    await installKinds(api.client, [
      defineSystem({
        name: "kinds",
        functions: [each(Tank).function({ name: "tanks", owns: [Pump], reconcile: () => ({}) })],
      }),
    ]);
  });
  afterAll(() => api.stop());
  const clear = async (): Promise<void> => {
    for (const resource of [TANKS, PUMPS])
      for (const { metadata } of (await api.client.list(resource)).items) {
        if ((metadata.finalizers ?? []).length > 0)
          await api.client.patch(
            resource,
            metadata,
            "merge",
            { metadata: { finalizers: null } },
            { fieldManager: "test" },
          );
        await api.client.delete(resource, metadata, { uid: undefined });
      }
    await api.idle();
  };
  return {
    get client() {
      return api.client;
    },
    async run(t, functions, more = {}) {
      const system = "functions" in functions ? functions : defineSystem({ name: "test", functions });
      const stack = await startStack({ api, systems: [system], ...more });
      t.onTestFinished(async () => {
        await stack.engine.stop();
        await clear();
      });
      return stack;
    },
    statusOf: async (name) =>
      (await api.client.get(TANKS, at(name)))?.status as Readonly<Record<string, unknown>> | undefined,
  };
}
