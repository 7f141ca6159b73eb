import { join } from "node:path";
import { createKubeClient } from "../../../shared/kube/http-client.ts";
import { loadConnection } from "../../../shared/kube/kubeconfig/index.ts";
import { bundle } from "../../deploy/bundle.ts";
import type { Measure } from "../measure.ts";
import { inParallel, short } from "../numbers.ts";
import { programFile, startProgram } from "../program.ts";

const OBJECTS = 4_000;
const CONFIG_MAPS = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  scope: "Namespaced",
} as const;

/** The local API in a process of its own, over TLS. */
export const localApi: Measure = {
  name: "local-api",
  run: async (bench) => {
    const { file } = await bundle(programFile("programs/local-api.ts"), join(bench.folder, "local-api.mjs"));
    const kubeconfig = join(bench.folder, "kubeconfig");
    const program = await startProgram([file, bench.folder, kubeconfig]);
    bench.after(() => program.stop());
    const client = createKubeClient({
      connection: loadConnection({ file: kubeconfig }),
      concurrentWrites: 32,
    });
    bench.after(() => client.close());
    const names = Array.from({ length: OBJECTS }, (_, index) => `map-${index}`);
    const rate = async (work: (name: string) => Promise<unknown>): Promise<number> => {
      const began = performance.now();
      await inParallel(32, names, work);
      return OBJECTS / ((performance.now() - began) / 1000);
    };
    const place = (name: string) => ({ namespace: "default", name });
    const creates = await rate((name) =>
      client.create(
        CONFIG_MAPS,
        { apiVersion: "v1", kind: "ConfigMap", metadata: place(name), data: { text: "x".repeat(200) } },
        { fieldManager: "bench" },
      ),
    );
    const reads = await rate((name) => client.get(CONFIG_MAPS, place(name)));
    return [
      { budget: "local API: creates ≥ 1,000/s", measured: `${short(creates)}/s`, ok: creates >= 1_000 },
      { budget: "local API: reads ≥ 2,000/s", measured: `${short(reads)}/s`, ok: reads >= 2_000 },
    ];
  },
};
