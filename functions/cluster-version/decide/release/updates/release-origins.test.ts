import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { ClusterVersion } from "../../../kinds/index.ts";
import { changesOffers, isAskedFor, RELEASE_ORIGINS } from "./release-origins.ts";

const DIGEST = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
type View = Pick<ClusterVersion, "metadata" | "spec" | "status">;
const view = (over: {
  readonly name?: string;
  readonly image?: string;
  readonly asked?: { readonly version?: string; readonly image?: string };
  readonly upstream?: string;
  readonly named?: string;
  readonly offered?: readonly { readonly version: string; readonly image: string }[];
}): View =>
  ({
    metadata: {
      name: over.name ?? "version",
      annotations: over.named === undefined ? {} : { [RELEASE_ORIGINS]: over.named },
    },
    spec: { clusterID: "", desiredUpdate: over.asked, upstream: over.upstream },
    status: {
      desired: { version: "1.0.0", image: over.image ?? "" },
      availableUpdates: over.offered ?? null,
    },
  }) as View;

describe("a release changes what is offered", () => {
  for (const [name, it, origin, changes] of [
    [
      "of the repository of the release that runs",
      { image: "reg.example/rel:1.0.0" },
      "reg.example/rel",
      true,
    ],
    ["at a registry's port", { image: "reg.example:5000/rel:1.0.0" }, "reg.example:5000/rel", true],
    ["where a digest names what runs", { image: `reg.example/rel@${DIGEST}` }, "reg.example/rel", true],
    ["where tag and digest do", { image: `reg.example/rel:1@${DIGEST}` }, "reg.example/rel", true],
    ["where neither does", { image: "reg.example:5000/rel" }, "reg.example:5000/rel", true],
    [
      "of the repository of what is asked for",
      { asked: { image: "new.example/rel:2" } },
      "new.example/rel",
      true,
    ],
    ["that the update service tells", { upstream: "https://up.example/graph/" }, "up.example/graph", true],
    [
      "that an administrator names",
      { named: "a.example/b , github.com/Example/Data" },
      "GitHub.com/example/data",
      true,
    ],
    ["but not one of a longer name", { image: "reg.example/rel:1.0.0" }, "reg.example/rel-ci", false],
    ["but not one of a shorter name", { image: "reg.example/rel:1.0.0" }, "reg.example", false],
    ["but not one of another registry", { image: "reg.example/rel:1.0.0" }, "evil.example/rel", false],
    ["but not where nothing is known of the cluster", { named: " , " }, "reg.example/rel", false],
    ["but not where no service can be asked", { upstream: "::" }, "::", false],
    [
      "but not of another ClusterVersion",
      { name: "other", image: "reg.example/rel:1" },
      "reg.example/rel",
      false,
    ],
  ] as const)
    test(name, () => assert.equal(changesOffers(view(it), { origin }), changes));
});

describe("a release is the one that is asked for", () => {
  const release = { origin: "reg.example/rel", version: "1.1.0", digest: DIGEST };
  for (const [name, it, is] of [
    ["by its tag", { asked: { image: "reg.example/rel:1.1.0" } }, true],
    ["by its digest", { asked: { image: `reg.example/rel@${DIGEST}` } }, true],
    [
      "by its version alone, as it is offered",
      { asked: { version: "1.1.0" }, offered: [{ version: "1.1.0", image: "reg.example/rel:1.1.0" }] },
      true,
    ],
    ["but not by a version that nobody offers", { asked: { version: "1.1.0" } }, false],
    ["but not another tag", { asked: { image: "reg.example/rel:1.1.1" } }, false],
    ["but not where nothing is asked for", { image: "reg.example/rel:1.1.0" }, false],
    [
      "but not of another ClusterVersion",
      { name: "other", asked: { image: "reg.example/rel:1.1.0" } },
      false,
    ],
  ] as const)
    test(name, () => assert.equal(isAskedFor(view(it), release), is));
});
