import { wouldChange } from "../../../shared/kube/apply/would-change.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import type { Figure, Measure } from "../measure.ts";
import { median, short } from "../numbers.ts";

const ITEMS = 10_000;
const MILLISECONDS = 50;
const TIMES = 15;

/** Measures the check whether an apply of a list of so many items would change anything: nobody else's key runs meanwhile. */
export const longLists: Measure = {
  name: "long-lists",
  run: async () => {
    const env = Array.from({ length: ITEMS }, (_, index) => ({ name: `V${index}`, value: "x" }));
    const desired: KubeObject = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "long", namespace: "bench" },
      spec: { template: { spec: { containers: [{ name: "main", env }] } } },
    };
    const fields = Object.fromEntries(
      env.map(({ name }) => [`k:{"name":"${name}"}`, { ".": {}, "f:name": {}, "f:value": {} }]),
    );
    const container = { ".": {}, "f:name": {}, "f:env": fields };
    const pod = { "f:containers": { 'k:{"name":"main"}': container } };
    const owned = { "f:spec": { "f:template": { "f:spec": pod } } };
    const entry = { manager: "bench", operation: "Apply", apiVersion: "apps/v1", fieldsV1: owned } as const;
    const live: KubeObject = structuredClone({
      ...desired,
      metadata: { ...desired.metadata, uid: "u", resourceVersion: "1", managedFields: [entry] },
    });
    const took: number[] = [];
    for (let time = 0; time < TIMES; time += 1) {
      const began = process.cpuUsage();
      if (wouldChange(desired, live, { fieldManager: "bench", custom: false }))
        throw new Error("the list would change: the measure decides something else than it says");
      took.push(process.cpuUsage(began).user / 1_000);
    }
    const milliseconds = median(took);
    const figure: Figure = {
      budget: `a list of ${ITEMS.toLocaleString("en")} items that is already so, decided`,
      measured: `${short(milliseconds)} ms of CPU`,
      limit: `${MILLISECONDS} ms`,
      ratio: milliseconds / MILLISECONDS,
      ok: milliseconds < MILLISECONDS,
    };
    return [figure];
  },
};
