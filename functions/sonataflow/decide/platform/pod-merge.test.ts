import assert from "node:assert/strict";
import * as fc from "fast-check";
import { describe, test } from "vitest";
import { mergedContainer, mergedPod, pullPolicyOf } from "./pod-merge.ts";

const OURS = {
  name: "main",
  image: "ours:1",
  env: [{ name: "A", value: "ours" }],
  ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }],
  readinessProbe: { httpGet: { path: "/ready", port: 8080 }, periodSeconds: 30 },
  resources: { limits: { cpu: "1", memory: "1Gi" } },
  volumeMounts: [{ name: "config", mountPath: "/config" }],
};

describe("the main container", () => {
  test("nothing said, nothing changed", () => assert.deepEqual(mergedContainer(OURS, {}), OURS));
  test("variables, ports and mounts of ours stay, others follow", () => {
    const { env, ports, volumeMounts } = mergedContainer(OURS, {
      env: [
        { name: "B", value: "1" },
        { name: "A", value: "theirs" },
        { name: "B", value: "2" },
      ],
      ports: [
        { name: "http", containerPort: 9090, protocol: "TCP" },
        { containerPort: 8080, protocol: "TCP" },
        { containerPort: 8443, protocol: "TCP" },
      ],
      volumeMounts: [
        { name: "mine", mountPath: "/config" },
        { name: "mine", mountPath: "/mine" },
      ],
    });
    assert.deepEqual(env, [
      { name: "A", value: "ours" },
      { name: "B", value: "2" },
    ]);
    assert.deepEqual(
      ports?.map(({ containerPort }) => containerPort),
      [8080, 8443],
    );
    assert.deepEqual(
      volumeMounts?.map(({ mountPath }) => mountPath),
      ["/config", "/mine"],
    );
  });
  test("single fields of probes and resources override", () => {
    const merged = mergedContainer(OURS, {
      readinessProbe: { periodSeconds: 5 },
      resources: { limits: { cpu: "2" } },
    });
    assert.deepEqual(merged.readinessProbe, { httpGet: { path: "/ready", port: 8080 }, periodSeconds: 5 });
    assert.deepEqual(merged.resources, { limits: { cpu: "2", memory: "1Gi" } });
  });
  test("another way of asking replaces ours", () => {
    const { readinessProbe } = mergedContainer(OURS, { readinessProbe: { exec: { command: ["true"] } } });
    assert.deepEqual(readinessProbe, { exec: { command: ["true"] }, periodSeconds: 30 });
  });
});

for (const [image, expected] of [
  ["a", "Always"],
  ["host:5000/a", "Always"],
  ["host:5000/a:latest", "Always"],
  ["host:5000/a:1", undefined],
  ["a@sha256:0123", undefined],
  [undefined, undefined],
] as const)
  test(`how ${image} is pulled`, () => assert.equal(pullPolicyOf(image), expected));

describe("the pod", () => {
  const main = { name: "main", image: "i" };
  test("further containers stand in front, one of the fixed name is replaced in its place", () => {
    const names = (containers: { name: string }[]) =>
      mergedPod(main, [], { containers }).containers.map(({ name, image }) => `${name}:${image ?? ""}`);
    assert.deepEqual(names([{ name: "side" }]), ["side:", "main:i"]);
    assert.deepEqual(names([{ name: "main" }, { name: "side" }]), ["main:i", "side:"]);
  });
  test("the user's volumes do not drop the configuration's", () => {
    const { volumes } = mergedPod(main, [{ name: "config", configMap: { name: "c" } }], {
      volumes: [
        { name: "config", emptyDir: {} },
        { name: "mine", emptyDir: {} },
      ],
    });
    assert.deepEqual(volumes, [
      { name: "config", configMap: { name: "c" } },
      { name: "mine", emptyDir: {} },
    ]);
  });
  test("no key twice, whatever the user gives: a list with doubles cannot be applied", () => {
    const named = fc.record({ name: fc.constantFrom("a", "b", "main", "config") });
    fc.assert(
      fc.property(fc.array(named), fc.array(named), fc.array(named), (containers, volumes, env) => {
        const pod = mergedPod(mergedContainer(OURS, { env }), [{ name: "config" }], { containers, volumes });
        for (const list of [
          pod.containers,
          pod.volumes ?? [],
          pod.containers.find(({ name }) => name === "main")?.env ?? [],
        ])
          assert.equal(new Set(list.map(({ name }) => name)).size, list.length);
        assert.ok(pod.containers.some(({ name, image }) => name === "main" && image === "ours:1"));
      }),
    );
  });
});
