import assert from "node:assert/strict";
import { it } from "vitest";
import {
  apply,
  type BeatingTrigger,
  defineClusters,
  defineSystem,
  each,
  unwatched,
} from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/config-map.ts";
import { Toy, toySystem } from "../testing/toy-system.ts";
import { beatGrants, clusterKindsOf, functionGrants, rbacObjects, watcherGrants } from "./rbac.ts";

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

it("lets nobody list Secrets but in the namespace where a label finds kubeconfigs, and grants nothing for other clusters at home", () => {
  const labelled = defineClusters("labelled", {
    secret: { namespace: "kubeconfigs", label: "example.org/cluster", key: "config" },
  });
  const named = defineClusters("named", { secret: { suffix: "-kubeconfig", key: "value" } });
  class LabelledMap extends labelled.kind(ConfigMap) {}
  class NamedMap extends named.kind(ConfigMap) {}
  const at = { cluster: "one", namespace: "a", name: "b" };
  const byLabel = each(Toy, { status: [] }).function({
    name: "by-label",
    writes: [unwatched(LabelledMap, "a test")],
    reconcile: () => ({ effects: apply(LabelledMap, { metadata: at, data: {} }) }),
  });
  const byName = each(Toy, { status: [] }).function({
    name: "by-name",
    writes: [unwatched(NamedMap, "a test")],
    reconcile: () => ({ effects: apply(NamedMap, { metadata: at, data: {} }) }),
  });
  for (const namespace of [undefined, "team-a"]) {
    const secretsOf = (grants: ReturnType<typeof functionGrants>) =>
      grants.flatMap((grant) =>
        grant.rules.flatMap(({ resources, verbs }) =>
          resources.includes("secrets") ? [[grant.namespace, ...verbs].join(" ")] : [],
        ),
      );
    const wide = namespace ?? "";
    assert.deepEqual(secretsOf(functionGrants(byLabel, namespace)), ["kubeconfigs get list"]);
    assert.deepEqual(secretsOf(functionGrants(byName, namespace)), [`${wide} get`]);
    assert.deepEqual(
      new Set(secretsOf(watcherGrants([byLabel, byName], namespace))),
      new Set([
        namespace === undefined ? " get" : `${namespace} get list watch`,
        "kubeconfigs get list watch",
      ]),
    );
    const resources = functionGrants(byLabel, namespace).flatMap(({ rules, part }) =>
      part === "paused" ? [] : rules.flatMap((rule) => rule.resources),
    );
    assert.ok(!resources.includes("configmaps"), resources.join(", "));
  }
});

it("lets serve keep Leases where senders of a system beat, and nowhere else", () => {
  const pulse: BeatingTrigger = {
    name: "pulse",
    path: "/pulse",
    proof: "certificate",
    maximumBody: 100,
    read: () => ({ ignored: "nothing" }),
    beats: ({ sender: id }) => ({ at: undefined, event: { id, type: "pulse", subject: id, data: {} } }),
  };
  const beating = defineSystem({ name: "hearts", functions: [], triggers: [pulse] });
  const [grant, ...others] = beatGrants([toySystem, beating], undefined);
  assert.deepEqual(
    [grant?.account, grant?.namespace, grant?.rules.map(({ resources }) => resources), others],
    ["reveille-serve", "reveille-system", [["leases"]], []],
  );
  assert.deepEqual(beatGrants([toySystem], undefined), []);
  const quiet = { ...pulse, read: () => ({ ignored: "nothing" }), beats: undefined };
  assert.deepEqual(
    beatGrants([defineSystem({ name: "calm", functions: [], triggers: [quiet] })], undefined),
    [],
  );
});
