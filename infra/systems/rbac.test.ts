import assert from "node:assert/strict";
import { it } from "vitest";
import { toySystem } from "../testing/toy-system.ts";
import { clusterKindsOf, functionGrants, rbacObjects, watcherGrants } from "./rbac.ts";

it("keeps within a namespace what has one, and grants the rest in a role of its own", () => {
  const wide = toySystem.functions.find((one) => clusterKindsOf(one).length > 0);
  assert.ok(wide);
  const [narrow, cluster] = functionGrants(wide, "team-a");
  assert.equal(narrow?.namespace, "team-a");
  assert.equal(cluster?.namespace, undefined);
  const plurals = (cluster?.rules ?? []).flatMap(({ resources }) => resources);
  assert.ok(plurals.includes("workshops"));
  assert.ok(!plurals.includes("toys"));
});

it("lets the watcher read only, but for its Lease", () => {
  for (const { rules } of watcherGrants(toySystem.functions, undefined))
    for (const { resources, verbs } of rules)
      if (!resources.includes("leases"))
        assert.deepEqual(
          verbs.filter((verb) => !["get", "list", "watch"].includes(verb)),
          [],
        );
});

it("binds every role to an account that it makes, under a label that uninstall finds", () => {
  const objects = rbacObjects([
    ...watcherGrants(toySystem.functions, undefined),
    ...toySystem.functions.flatMap((one) => functionGrants(one, undefined)),
  ]) as readonly {
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels: object };
    readonly subjects?: readonly { readonly name: string; readonly namespace: string }[];
    readonly roleRef?: { readonly kind: string; readonly name: string };
  }[];
  const has = (kind: string, name: string): boolean =>
    objects.some((object) => object.kind === kind && object.metadata.name === name);
  const bindings = objects.filter(({ roleRef }) => roleRef !== undefined);
  assert.ok(bindings.length >= toySystem.functions.length + 1);
  for (const { roleRef, subjects } of bindings) {
    assert.ok(has(roleRef?.kind ?? "", roleRef?.name ?? ""));
    for (const { name } of subjects ?? []) assert.ok(has("ServiceAccount", name));
  }
  for (const { metadata } of objects)
    assert.deepEqual(metadata.labels, { "app.kubernetes.io/part-of": "reveille" });
});
