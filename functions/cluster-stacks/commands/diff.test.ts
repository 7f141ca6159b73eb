import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { RenderedObject } from "../decide/apply/index.ts";
import type { Resource } from "../kinds/index.ts";
import { diffText, objectChanges } from "./diff.ts";

const resource = (kind: string, name: string, group = ""): Resource => ({
  group,
  version: "v1",
  kind,
  namespace: "kube-system",
  name,
});
const rendered = (kind: string, name: string, data: object = {}): RenderedObject => ({
  object: {
    apiVersion: "v1",
    kind,
    metadata: { name, namespace: "kube-system", labels: {}, annotations: {} },
    data,
  },
  resource: resource(kind, name),
});

describe("the difference that an upgrade makes", () => {
  it("is told by object: what comes, changes, stays and goes, and never what others keep data in", () => {
    const standing = {
      record: [
        resource("ConfigMap", "same"),
        resource("ConfigMap", "other"),
        resource("ConfigMap", "unknown"),
        resource("ConfigMap", "left"),
        resource("ConfigMap", "taken"),
        resource("PersistentVolumeClaim", "data"),
      ],
      kept: [rendered("ConfigMap", "same"), rendered("ConfigMap", "other", { a: "1", b: "2" })],
    };
    const objects = objectChanges(standing, [
      {
        planned: { name: "cni", action: "apply" },
        objects: [
          rendered("ConfigMap", "same"),
          rendered("ConfigMap", "other", { a: "1", b: "3" }),
          rendered("ConfigMap", "unknown"),
          rendered("ConfigMap", "new"),
        ],
      },
      {
        planned: { name: "old", action: "delete" },
        objects: [
          rendered("ConfigMap", "taken"),
          rendered("ConfigMap", "never-there"),
          rendered("ConfigMap", "new"),
        ],
      },
    ]);
    const text = diffText({
      cluster: "Cluster team-a/demo",
      from: "docker-scs-1-30-v1",
      to: "docker-scs-1-31-v1",
      kubernetes: { from: "v1.30.2", to: "v1.31.1" },
      objects,
    });
    assert.equal(
      text,
      [
        "Cluster team-a/demo: docker-scs-1-30-v1 → docker-scs-1-31-v1",
        "Kubernetes v1.30.2 → v1.31.1",
        "  = ConfigMap kube-system/same (cni)",
        "  ~ ConfigMap kube-system/other (cni: data.b)",
        "  ? ConfigMap kube-system/unknown (cni)",
        "  + ConfigMap kube-system/new (cni)",
        "  - ConfigMap kube-system/taken (old)",
        "  - ConfigMap kube-system/new (old)",
        "  - ConfigMap kube-system/left",
        "  ! PersistentVolumeClaim kube-system/data",
        "+ created, ~ changed, ? applied, whatever it was, = applied as it is, - deleted, ! left alone: others may keep data in it",
      ].join("\n"),
    );
  });

  it("is none where the addons are the same", () => {
    const same = { cluster: "Cluster a/b", from: "x", to: "y", kubernetes: { from: "", to: "v1.31.1" } };
    assert.equal(
      diffText({ ...same, objects: [] }),
      "Cluster a/b: x → y\nKubernetes unknown → v1.31.1\nIts addons are the same.",
    );
  });
});
