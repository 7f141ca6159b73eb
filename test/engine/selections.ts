import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, it } from "vitest";
import * as z from "zod";
import { changed, defineEvent, defineKind, defineSystem, each, on } from "../../index.ts";
import { skipWithoutControlPlane } from "../../infra/testing/control-plane.ts";
import { startStack } from "../../infra/testing/stack.ts";
import { wrapClient } from "../../infra/testing/wrapped-client.ts";
import type { KubeClient, ListOptions } from "../../shared/kube/client.ts";
import { Tank, tank } from "./kinds.ts";
import { at, MAPS } from "./stage.ts";

/** The ConfigMaps of tanks alone. */
class Note extends defineKind({
  group: "",
  version: "v1",
  kind: "ConfigMap",
  scope: "Namespaced",
  external: true,
  selector: { labels: { "engine.example.org/note": "yes" } },
  fields: { data: z.looseObject({ shelf: z.string().optional(), text: z.string().optional() }).optional() },
  facts: (it) => ({
    tank: it.metadata.labels["engine.example.org/tank"],
    shelf: it.data.shelf,
    text: it.data.text,
  }),
}) {}
const rang = defineEvent("bell.rang", z.object({ tank: z.string() }), ({ tank: of }) => of);

const readers = [
  each(Tank, { status: ["note"] }).function({
    name: "by-name",
    wakes: [
      changed(Note).toName<typeof Tank>(({ tank: name, namespace }) =>
        name === undefined ? undefined : { name, namespace },
      ),
      on(rang).toName<typeof Tank>(({ tank: name }) => ({ name, namespace: "default" })),
    ],
    observe: async ({ self, read }) => ({
      notes: await read.list(Note, { namespace: self.metadata.namespace }),
    }),
    reconcile: ({ self, notes }) => ({
      status: {
        note: notes
          .filter(({ metadata: { labels } }) => labels["engine.example.org/tank"] === self.metadata.name)
          .map(({ data }) => data?.text ?? "")
          .join(),
      },
    }),
  }),
  each(Tank, { status: ["level"] }).function({
    name: "by-labels",
    wakes: [
      changed(Note).toEach<typeof Tank>(() => true, {
        where: ({ shelf, namespace }) => (shelf === undefined ? undefined : { namespace, labels: { shelf } }),
      }),
    ],
    reconcile: ({ self }) => ({ status: { level: self.spec.size } }),
  }),
];
const system = defineSystem({ name: "selections", functions: readers });

const note = (
  name: string,
  labels: Readonly<Record<string, string>>,
  data: Readonly<Record<string, string>>,
) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default", labels },
  data,
});
const NOTED = { "engine.example.org/note": "yes", "engine.example.org/tank": "one" };

/** What selections promise, on the local API or the real one. */
export function selectionSuite(kind: "local" | "real"): void {
  const skip = kind === "real" ? skipWithoutControlPlane({ controllerManager: true }) : false;
  describe(`selections on the ${kind} API`, { skip: skip !== false }, () => {
    it("watch and list no more than they say, and wake who is named", async (t) => {
      const lists: ListOptions[] = [];
      const listening = (client: KubeClient): KubeClient => ({
        ...wrapClient(client, (_, send) => send()),
        pages: (resource, options) => {
          if (resource.kind === "Tank" && options?.labelSelector !== undefined) lists.push(options);
          return client.pages(resource, options);
        },
      });
      const stack = await startStack({ api: kind, systems: [system], engineClient: listening });
      t.onTestFinished(() => stack.stop());
      const { client } = stack;
      const ran = (since: number): readonly string[] =>
        [
          ...new Set(
            stack
              .runs()
              .slice(since)
              .map(({ function: name, key }) => `${name} ${key.split("/").at(-1)}`),
          ),
        ].sort();
      await stack.apply([
        tank("one", { size: 1 }),
        { ...tank("two", { size: 1 }), metadata: { ...at("two"), labels: { shelf: "x" } } },
      ]);
      await stack.settled();

      const first = stack.runs().length;
      await stack.apply(note("plain", { "engine.example.org/tank": "one" }, { shelf: "x", text: "unseen" }));
      await stack.settled();
      assert.deepEqual(ran(first), [], "an object without the label is not watched");

      await stack.apply(note("noted", NOTED, { shelf: "x", text: "seen" }));
      await stack.settled();
      assert.ok(ran(first).includes("by-name one"), ran(first).join());
      assert.ok(ran(first).includes("by-labels two"), ran(first).join());
      assert.deepEqual(
        lists.map(({ namespace, labelSelector }) => [namespace, labelSelector]),
        [["default", "shelf=x"]],
      );

      const second = stack.runs().length;
      await client.patch(
        MAPS,
        at("noted"),
        "merge",
        { metadata: { labels: { "engine.example.org/note": null } } },
        { fieldManager: "x" },
      );
      await stack.settled();
      assert.ok(ran(second).includes("by-name one"), "who loses the label is told of");

      const third = stack.runs().length;
      await stack.engine.bus.publish([
        {
          specversion: "1.0",
          id: randomUUID(),
          type: rang.id,
          source: "/test",
          time: new Date().toISOString(),
          datacontenttype: "application/json",
          data: { tank: "two" },
        },
      ]);
      await stack.settled();
      assert.deepEqual(
        ran(third).filter((one) => !one.includes("sweep")),
        ["by-name two"],
      );
    });
  });
}
