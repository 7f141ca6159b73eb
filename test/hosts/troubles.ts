import { existsSync, writeFileSync } from "node:fs";
import * as z from "zod";
import { eventually } from "../../infra/testing/eventually.ts";
import {
  type BeatingTrigger,
  defineKind,
  defineSystem,
  each,
  type Notice,
} from "../../shared/function/index.ts";

/** An object whose run does as it says: well, slowly, never ending, or killing its host. */
export class Trouble extends defineKind({
  group: "hosts.example.org",
  version: "v1",
  kind: "Trouble",
  scope: "Namespaced",
  description: "An object whose run does as it says.",
  fields: {
    spec: z.object({
      how: z.enum(["well", "slowly", "for ever", "deadly"]),
      /** Made when the run begins. */
      began: z.string().optional(),
      /** A slow run ends when it is there. */
      until: z.string().optional(),
    }),
  },
  status: z.object({ observedGeneration: z.int().optional(), how: z.string().optional() }),
}) {}

const config = z.object({ greeting: z.string().default("went") });

export const trouble = each(Trouble).function({
  name: "trouble",
  config,
  observe: async ({ self }) => {
    const { how, began, until } = self.spec;
    if (began !== undefined) writeFileSync(began, "");
    if (how === "deadly") process.kill(process.pid, "SIGKILL");
    if (how === "for ever") await new Promise(() => undefined);
    if (how === "slowly" && until !== undefined)
      await eventually(`${until} is there`, () => existsSync(until));
    return {};
  },
  reconcile: ({ self }, context) => ({
    status: {
      observedGeneration: self.metadata.generation,
      how: `${context.config.greeting} ${self.spec.how}`,
    },
  }),
});

const release = (id: string, origin: string, version: string): Notice => ({
  at: undefined,
  event: { id, type: "release.published", subject: id, data: { origin, version } },
});

/** What somebody tells whom a certificate proves. */
const told: BeatingTrigger = {
  name: "told",
  path: "/told/:house",
  proof: "certificate",
  maximumBody: 1_000,
  read: ({ commonName, path: { house }, id }) =>
    house === "alive"
      ? { beat: { number: 1, after: 0, seconds: 60 } }
      : { notices: [release(id, `${commonName}/${house}`, "1")] },
  beats: ({ sender, state, heard }) => release(`${sender} ${heard}`, sender, state),
};

export const troubles = defineSystem({
  name: "troubles",
  config,
  functions: [trouble],
  triggers: [told],
});
