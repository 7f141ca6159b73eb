import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { ClusterStackSpec } from "../../kinds/index.ts";
import { releaseOfClass } from "../names/index.ts";
import { admitCluster, stackFaults } from "./index.ts";

const SPEC: ClusterStackSpec = {
  provider: "docker",
  name: "ferrol",
  kubernetesVersion: "1.27",
  channel: "stable",
  autoSubscribe: true,
  noProvider: true,
  source: "default",
};
const ref = { apiVersion: "x.io/v1", kind: "DockerClusterStackReleaseTemplate", name: "t" };

describe("a stack", () => {
  for (const [name, more, faults] of [
    ["that is good has no fault", { versions: ["v1", "v2"] }, []],
    ["with a provider has no fault", { noProvider: false, providerRef: ref }, []],
    [
      "without its template has one",
      { noProvider: false },
      ["spec.providerRef is missing: name a template, or set spec.noProvider"],
    ],
    [
      "names versions",
      { versions: ["1", "v1-a"] },
      [
        "spec.versions: 1 is no version: v1, or v1-label.patch",
        "spec.versions: v1-a is no version: v1, or v1-label.patch",
      ],
    ],
    ["names each once", { versions: ["v1", "v01"] }, ["spec.versions: v01 is there twice"]],
    [
      "names those of its channel",
      { versions: ["v1-beta.1"] },
      ["spec.versions: v1-beta.1 is not of the channel stable"],
    ],
    [
      "of the custom channel names such",
      { channel: "custom", versions: ["v1"] },
      ["spec.versions: v1 is not of the channel custom"],
    ],
    [
      "has no dash in its names",
      { name: "a-b" },
      ["spec.name: a-b has a dash, which names of releases cannot tell from their own"],
    ],
  ] as const)
    test(name, () =>
      assert.deepEqual(
        stackFaults(
          { ...SPEC, ...more, versions: [...("versions" in more ? more.versions : [])] },
          "n",
          undefined,
        ),
        faults,
      ),
    );
  test("keeps what its releases' names are made of", () => {
    const other = {
      ...SPEC,
      provider: "x",
      name: "y",
      kubernetesVersion: "1.28",
      channel: "custom" as const,
    };
    assert.deepEqual(
      stackFaults(other, "n", SPEC),
      ["provider", "name", "kubernetesVersion", "channel"].map(
        (field) => `spec.${field}: field is immutable`,
      ),
    );
    assert.deepEqual(stackFaults({ ...SPEC, autoSubscribe: false }, "n", SPEC), []);
  });
});

describe("a Cluster", () => {
  const wish = (className: string, version = "") => ({ release: releaseOfClass(className), version });
  const [V1, V2] = ["docker-ferrol-1-27-v1", "docker-ferrol-1-27-v2"];
  for (const [name, to, known, from, answer] of [
    [
      "of another class is nobody's business",
      wish("quick-start", "v9"),
      "v1.27.3",
      undefined,
      { allow: true },
    ],
    ["has the version of its release", wish(V1, "v1.27.3"), "v1.27.3", undefined, { allow: true }],
    ["is given it", wish(V1), "v1.27.3", undefined, { allow: true, version: "v1.27.3" }],
    [
      "is refused another",
      wish(V1, "v1.27.4"),
      "v1.27.3",
      undefined,
      { allow: false, message: `spec.topology.version is v1.27.4: ${V1} is for v1.27.3` },
    ],
    ["goes to another release", wish(V2, "v1.27.3"), "v1.27.3", wish(V1), { allow: true }],
    [
      "goes to the next minor version",
      wish("docker-ferrol-1-28-v1", "v1.28.1"),
      "v1.28.1",
      wish(V1),
      { allow: true },
    ],
    [
      "goes no two at once",
      wish("docker-ferrol-1-29-v1", "v1.29.1"),
      "v1.29.1",
      wish(V1),
      {
        allow: false,
        message:
          "a Cluster goes from 1.27 to the next minor version of Kubernetes or stays, and the new class is for 1.29",
      },
    ],
    [
      "goes not back",
      wish("docker-ferrol-1-26-v1", "v1.26.1"),
      "v1.26.1",
      wish(V1),
      {
        allow: false,
        message:
          "a Cluster goes from 1.27 to the next minor version of Kubernetes or stays, and the new class is for 1.26",
      },
    ],
    [
      "keeps its provider",
      wish("openstack-ferrol-1-27-v1", "v1.27.3"),
      "v1.27.3",
      wish(V1),
      {
        allow: false,
        message:
          "a Cluster keeps the provider of its cluster stack: it is docker, and the new class has openstack",
      },
    ],
    ["comes from a class of no stack", wish(V1, "v1.27.3"), "v1.27.3", wish("quick-start"), { allow: true }],
  ] as const)
    test(name, () => assert.deepEqual(admitCluster(to, V1, known, from), answer));
  test("of a release that nobody knows yet is warned", () => {
    const answer = admitCluster(wish(V1, "v1.27.9"), V1, undefined, undefined);
    assert.match(answer.allow ? (answer.warning ?? "") : "", /nobody knows yet/);
  });
});
