import assert from "node:assert/strict";
import { test } from "vitest";
import { fieldOf, fieldsOf } from "../../../../shared/json/fields.ts";
import type { KubeObject } from "../../../../shared/kube/object.ts";
import { context } from "../../test/apply/cluster.ts";
import { wantsProxy } from "./annotations.ts";
import { merge } from "./merge.ts";

const daemonSet = (names?: string): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  metadata: {
    name: "demo",
    namespace: "demo",
    annotations: names === undefined ? {} : { "config.openshift.io/inject-proxy": names },
  },
  spec: {
    selector: { matchLabels: { app: "demo" } },
    template: {
      metadata: { labels: { app: "demo" } },
      spec: {
        initContainers: [{ name: "first", image: "x" }],
        containers: [
          { name: "main", image: "x", env: [{ name: "A", value: "1" }] },
          { name: "side", image: "x" },
        ],
      },
    },
  },
});
const proxy = { httpProxy: "http://p", httpsProxy: "https://p", noProxy: ".svc" };
const variables = [
  { name: "HTTP_PROXY", value: "http://p" },
  { name: "HTTPS_PROXY", value: "https://p" },
  { name: "NO_PROXY", value: ".svc" },
];

function podOf(manifest: KubeObject, about = { ...context, proxy }): unknown {
  const write = merge(manifest, undefined, about);
  assert.equal(write.write, "create");
  return fieldOf(fieldOf(fieldsOf(write.body.spec), "template"), "spec");
}

test("the named containers are told the proxy, first ones included, behind their own variables", () => {
  assert.deepEqual(podOf(daemonSet("first,main")), {
    initContainers: [{ name: "first", image: "x", env: variables }],
    containers: [
      { name: "main", image: "x", env: [{ name: "A", value: "1" }, ...variables] },
      { name: "side", image: "x" },
    ],
  });
});

test("a proxy that changed is told anew, and told twice changes nothing", () => {
  const first = merge(daemonSet("side"), undefined, { ...context, proxy });
  assert.equal(first.write, "create");
  const live = { ...first.body, metadata: { ...first.body.metadata, uid: "u", resourceVersion: "1" } };
  assert.equal(merge(daemonSet("side"), live, { ...context, proxy }).write, "none");
  const moved = merge(daemonSet("side"), live, { ...context, proxy: { ...proxy, noProxy: "" } });
  assert.equal(moved.write, "replace");
  assert.deepEqual(moved.differs, ["spec.template.spec.containers[1].env[2].value"]);
  assert.equal(merge(daemonSet("side"), live, context).write, "replace", "no proxy: the variables go");
});

test("without a proxy, or unasked, the containers stay as they are", () => {
  assert.deepEqual(podOf(daemonSet("main"), { ...context, proxy: {} as typeof proxy }), podOf(daemonSet()));
  assert.equal(wantsProxy(daemonSet()), false);
  assert.equal(wantsProxy(daemonSet("main")), true);
});

test("a name that no container has is an error that names it", () => {
  assert.deepEqual(merge(daemonSet("main,one,two"), undefined, context), {
    write: "refused",
    fault: { message: "requested injection for non-existent containers: one, two" },
  });
});
