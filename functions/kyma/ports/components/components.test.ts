import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "vitest";
import { ManualClock } from "../../../../infra/testing/manual-clock.ts";
import { playedRegistry } from "../../../../infra/testing/played-registry.ts";
import { timeOf } from "../../../../shared/function/index.ts";
import {
  componentsOf,
  configuredComponents,
  layoutBlobs,
  memoryComponents,
  remembering,
} from "./adapters/index.ts";
import { registrySettings } from "./index.ts";
import { artifactsSuite } from "./test-artifacts.ts";
import { testLayout } from "./test-layout.ts";
import { publishedIn, publishTo } from "./test-registry.ts";
import { type ComponentsUnderTest, componentsSuite } from "./test-suite.ts";

const PLACES: Readonly<Record<string, () => Promise<ComponentsUnderTest>>> = {
  memory: async () => {
    const components = memoryComponents();
    return {
      components,
      host: "memory.test",
      put: components.put,
      publish: async (...given) => components.publish(...given),
    };
  },
  "an OCI layout": async () => {
    const { folder, put, publish, stop } = await testLayout();
    return {
      components: componentsOf(layoutBlobs(folder)),
      put: async (component) => {
        await put(component);
      },
      publish,
      stop,
    };
  },
  "a registry": async () => playedPlace("registry.test/acme/mods"),
  "a registry without a path": async () => playedPlace("registry.test"),
};
function playedPlace(repository: string): ComponentsUnderTest {
  const { fetch } = playedRegistry();
  return {
    components: configuredComponents({ folder: "", oci: { repository } }, { fetch }),
    host: "registry.test",
    put: (component) => publishTo(repository, component, { fetch }),
    publish: (place, published) => publishedIn(repository, place, published, { fetch }),
  };
}
for (const [name, start] of Object.entries(PLACES)) {
  componentsSuite(name, start);
  artifactsSuite(name, start);
}

describe("components that many ask for", () => {
  const ALPHA = { name: "acme.com/alpha", version: "1.0.0", layer: "kind: One\n" } as const;
  const begin = async () => {
    const memory = memoryComponents();
    await memory.put(ALPHA);
    const clock = new ManualClock();
    const components = remembering(memory, clock);
    const described = await components.describe(ALPHA.name, ALPHA.version);
    const source = described.state === "described" ? described.component.source : assert.fail();
    return { memory, clock, components, source };
  };

  test("are asked for once", async () => {
    const { memory, components, source, clock } = await begin();
    await Promise.all([components.layer(source), components.layer(source)]);
    await components.layer(source);
    await components.describe(ALPHA.name, ALPHA.version);
    assert.equal(memory.asked.length, 2);
    await components.layer(source, { anew: true });
    await clock.advance(61_000);
    await components.describe(ALPHA.name, ALPHA.version);
    assert.equal(memory.asked.length, 4);
  });

  test("are asked for again where they could not be had", async () => {
    const { memory, components, source } = await begin();
    memory.fails({ message: "away" });
    assert.equal((await components.layer(source)).state, "failed");
    memory.fails();
    assert.equal((await components.layer(source)).state, "read");
  });
});

describe("components of a registry that bears no more questions", () => {
  test("are asked for when it allows it again, not before", async () => {
    const memory = memoryComponents();
    const clock = new ManualClock();
    const components = remembering(memory, clock);
    memory.fails({ message: "too many requests", notBefore: timeOf(clock.now() + 300_000) });
    const ask = async () => (await components.describe("acme.com/alpha", "1.0.0")).state;
    assert.equal(await ask(), "failed");
    memory.fails();
    await clock.advance(299_000);
    assert.equal(await ask(), "failed");
    await clock.advance(2_000);
    assert.equal(await ask(), "absent");
    assert.equal(memory.asked.length, 2);
  });
});

describe("an OCI layout of components", () => {
  const ALPHA = { name: "acme.com/alpha", version: "1.0.0", layer: "kind: One\n" } as const;

  test("that is not there says nothing about components", async () => {
    const answer = await componentsOf(layoutBlobs("/nowhere")).describe("acme.com/alpha", "1.0.0");
    assert.deepEqual(
      [answer.state, "message" in answer && /index\.json cannot be read/.test(answer.message)],
      ["failed", true],
    );
  });

  test("with a blob that was changed is refused", async (t) => {
    const layout = await testLayout();
    t.onTestFinished(layout.stop);
    const { ref } = await layout.put(ALPHA);
    const components = componentsOf(layoutBlobs(layout.folder));
    await writeFile(join(layout.folder, "blobs", ref.replace(":", "/")), "kind: Two\n");
    const described = await components.describe(ALPHA.name, ALPHA.version);
    assert.equal(described.state, "described");
    const layer = await components.layer(
      described.state === "described" ? described.component.source : assert.fail(),
    );
    assert.match(layer.state === "faulty" ? layer.message : layer.state, /not what its digest says/);
  });
});

describe("an artifact's reference", () => {
  test("that is no digest leads nowhere", async (t) => {
    const layout = await testLayout();
    t.onTestFinished(layout.stop);
    const source = { type: "oci-ref", repo: "x", name: "acme.com/alpha", ref: "../../oci-layout" } as const;
    const layer = await componentsOf(layoutBlobs(layout.folder)).layer(source);
    assert.equal(layer.state, "absent");
  });

  test("that is a version, as the descriptor of an image's tag has it, leads nowhere in a registry", async () => {
    const { fetch } = playedRegistry();
    const components = configuredComponents(
      { folder: "", oci: { repository: "registry.test/acme/mods" } },
      { fetch },
    );
    const source = { type: "oci-ref", repo: "x", name: "acme.com/alpha", ref: "1.4.2" } as const;
    const layer = await components.layer(source);
    assert.match(layer.state === "absent" ? layer.message : layer.state, /1\.4\.2 .*: it is no digest/);
  });
});

test("the components of the samples can be read, and what they bring", async () => {
  const folder = join(import.meta.dirname, "../../samples/components");
  const components = componentsOf(layoutBlobs(folder));
  const described = await components.describe("example.org/modules/greeter", "1.0.0");
  const source =
    described.state === "described" ? described.component.source : assert.fail(described.message);
  const layer = await components.layer(source);
  const documents = layer.state === "read" ? layer.documents : assert.fail(layer.message);
  assert.deepEqual(
    documents.map((one) => (one as { kind: string }).kind),
    ["Namespace", "ConfigMap", "Letterbox", "Deployment"],
  );
});

describe("the registry of the settings", () => {
  for (const repository of ["registry.test", "registry.test:5000", "registry.test:5000/acme/mods"])
    test(`may be ${repository}`, () =>
      assert.equal(registrySettings.parse({ oci: { repository } }).oci?.repository, repository));
  for (const repository of ["https://registry.test/mods", "oci://registry.test", "registry.test/mods/", ""])
    test(`is refused as ${JSON.stringify(repository)}`, () => {
      const { error } = registrySettings.safeParse({ oci: { repository } });
      const [issue] = error?.issues ?? [];
      assert.deepEqual(issue?.path, ["oci", "repository"]);
      assert.match(issue?.message ?? "", /registry\.example\.org\/mods/);
    });
});
