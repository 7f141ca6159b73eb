import { setTimeout as pause } from "node:timers/promises";
import {
  allInNamespace,
  apply,
  changed,
  defineSystem,
  each,
  own,
  remove,
  unwatched,
} from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";
import { Factor, Gear } from "./gear-kinds.ts";
import { childOf, MIRRORS, mirrorOf, PART, TALLY } from "./gear-names.ts";

const EXIT_CODE = 70;

/** Multiplies a Gear's value by its Factor: a child, a mirror behind a finalizer, a status. Poisoned ones hurt their host. */
const gear = each(Gear).function({
  name: "gear",
  wakes: [
    changed(Factor).toEach(
      (it, { name, namespace }) => it.spec.factor === name && it.metadata.namespace === namespace,
    ),
  ],
  owns: [ConfigMap],
  observe: async ({ self, read }) => {
    await suffer(self.spec.poison, self.spec.takesMilliseconds ?? 0);
    const { namespace = "", name } = self.metadata;
    const [factor, mirror] = await Promise.all([
      read.get(Factor, { namespace, name: self.spec.factor }),
      read.get(ConfigMap, { namespace: MIRRORS, name: mirrorOf(namespace, name) }),
    ]);
    return { factor: factor?.spec.value ?? 1, mirror };
  },
  reconcile: ({ self, factor }) => {
    const { namespace = "", name, generation = 0 } = self.metadata;
    const product = self.spec.value * factor;
    const data = { product: String(product), generation: String(generation) };
    return {
      effects: [
        own(self, ConfigMap, { metadata: { name: childOf(name), labels: { [PART]: "child" } }, data }),
        apply(ConfigMap, {
          metadata: { namespace: MIRRORS, name: mirrorOf(namespace, name), labels: { [PART]: "mirror" } },
          data,
        }),
      ],
      status: { observedGeneration: generation, product, factor },
    };
  },
  finalizer: {
    name: "faults.example.org/mirror",
    finalize: ({ mirror }) =>
      mirror === undefined ? { finalized: true } : { effects: remove(ConfigMap, mirror), again: true },
  },
  failed: ({ self }, { code }) => ({
    observedGeneration: self.metadata.generation ?? 0,
    failed: code,
  }),
});

/** Adds up the products of a namespace. */
const tally = allInNamespace(Gear, { status: [] }).function({
  name: "tally",
  writes: [unwatched(ConfigMap, "nobody changes it but this function")],
  reconcile: ({ members, group }) => ({
    effects: apply(ConfigMap, {
      metadata: { namespace: group, name: TALLY, labels: { [PART]: "tally" } },
      data: { sum: String(members.reduce((sum, { status }) => sum + (status?.product ?? 0), 0)) },
    }),
  }),
});

export const gears = defineSystem({ name: "gears", functions: [gear, tally] });

/** Does to its host what the object asks for. */
async function suffer(poison: Gear["spec"]["poison"], milliseconds: number): Promise<void> {
  if (milliseconds > 0) await pause(milliseconds);
  if (poison === "exit") process.exit(EXIT_CODE);
  if (poison === "throw") throw new Error("thrown on purpose");
  if (poison === "reject") void Promise.reject(new Error("rejected on purpose, and nobody looks"));
  if (poison === "hang") await new Promise(() => undefined);
  if (poison === "loop") for (;;);
}
