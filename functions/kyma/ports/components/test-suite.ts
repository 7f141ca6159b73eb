import assert from "node:assert/strict";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { describe, test } from "vitest";
import { packTar } from "../../../../shared/archive/index.ts";
import type { Place, Published, UnpackedComponent } from "./adapters/index.ts";
import type { Component, Components, Description, Layer } from "./contract.ts";

/** An adapter, and the hand that publishes there. */
export interface ComponentsUnderTest {
  readonly components: Components;
  /** The host of its registry, where there is one. */
  readonly host?: string;
  put(component: UnpackedComponent): Promise<void>;
  publish(place: Place, published: Published): Promise<void>;
  stop?(): Promise<void>;
}

const NAME = "acme.com/mods/alpha-store";
const YAML = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\n---\n---\nkind: Two\n";
const ALPHA: UnpackedComponent = { name: NAME, version: "1.4.2", layer: YAML };

export const described = (description: Description): Component => {
  assert.equal(description.state, "described", JSON.stringify(description));
  return description.state === "described" ? description.component : assert.fail();
};
export const read = (layer: Layer): readonly unknown[] => {
  assert.equal(layer.state, "read", JSON.stringify(layer));
  return layer.state === "read" ? layer.documents : assert.fail();
};
export const fault = (answer: Description | Layer): string => {
  assert.equal(answer.state, "faulty", JSON.stringify(answer));
  return answer.state === "faulty" ? answer.message : assert.fail();
};

/** The contract of places of components, which every adapter keeps. */
export function componentsSuite(name: string, start: () => Promise<ComponentsUnderTest>): void {
  describe(`components from ${name}`, () => {
    const begin = async (
      t: { onTestFinished(then: () => Promise<void>): void },
      ...published: readonly UnpackedComponent[]
    ): Promise<Components> => {
      const { components, put, stop } = await start();
      t.onTestFinished(async () => stop?.());
      for (const one of published) await put(one);
      return components;
    };

    test("are described, with their images", async (t) => {
      const images = ["registry.test/prod/alpha:1.4.2", "registry.test/prod/proxy:2"];
      const components = await begin(t, { ...ALPHA, images });
      const { source, ...rest } = described(await components.describe(NAME, "1.4.2"));
      assert.deepEqual(rest, { name: NAME, version: "1.4.2", localizedImages: images });
      assert.deepEqual([source.type, source.name], ["oci-ref", NAME]);
      assert.match(source.ref, /^sha256:[0-9a-f]{64}$/);
    });

    test("have the documents of their artifact, without empty ones", async (t) => {
      const components = await begin(t, ALPHA);
      const { source } = described(await components.describe(NAME, "1.4.2"));
      assert.deepEqual(read(await components.layer(source)), [
        { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "one" } },
        { kind: "Two" },
      ]);
      assert.deepEqual(await components.layer(source, { anew: true }), await components.layer(source));
    });

    test("have the documents of the first file of a tar", async (t) => {
      const files = {
        "._rendered.yaml": "attributes",
        "rendered.yaml": "kind: One\n",
        "z.yaml": "kind: Z\n",
      };
      const layer = await packTar(
        new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])),
      );
      const components = await begin(t, { ...ALPHA, layer, type: "oci-dir" });
      const { source } = described(await components.describe(NAME, "1.4.2"));
      assert.equal(source.type, "oci-dir");
      assert.deepEqual(read(await components.layer(source)), [{ kind: "One" }]);
    });

    for (const [what, pack] of [
      ["packed", async () => gzipSync("kind: One\n")],
      ["packed in another way", async () => zstdCompressSync("kind: One\n")],
      [
        "packed by several threads",
        async () => Buffer.concat(["kind: ", "One\n"].map((part) => zstdCompressSync(part))),
      ],
      ["a tar", () => packTar(new Map([["a.yaml", Buffer.from("kind: One\n")]]))],
    ] as const)
      test(`have the documents of an artifact that is ${what} without saying so`, async (t) => {
        const components = await begin(t, { ...ALPHA, layer: await pack() });
        const { source } = described(await components.describe(NAME, "1.4.2"));
        assert.equal(source.type, "oci-ref");
        assert.deepEqual(read(await components.layer(source)), [{ kind: "One" }]);
      });

    for (const [what, layer, message] of [
      ["is damaged", gzipSync("kind: One\n").subarray(0, 20), /alpha-store: it cannot be unpacked/],
      [
        "unpacks to too much",
        gzipSync(Buffer.alloc(64 * 2 ** 20)),
        /alpha-store: it unpacks to more than \d+ bytes/,
      ],
      [
        "is packed as nobody reads it",
        Buffer.from("BZh91AY\xff", "latin1"),
        /plain or packed by gzip or zstd/,
      ],
      ["is an empty tar", Buffer.alloc(10_240), /no tar, or an empty one: publish a tar with one file/],
    ] as const)
      test(`with an artifact that ${what} are refused`, async (t) => {
        const components = await begin(t, { ...ALPHA, layer });
        const { source } = described(await components.describe(NAME, "1.4.2"));
        assert.match(fault(await components.layer(source)), message);
      });

    test("have the documents of the YAML in a tar, whatever lies before it", async (t) => {
      const files = { ".DS_Store": "x", "README.md": "# read me", "objects/rendered.YAML": "kind: One\n" };
      const layer = await packTar(
        new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])),
      );
      const components = await begin(t, { ...ALPHA, layer });
      const { source } = described(await components.describe(NAME, "1.4.2"));
      assert.deepEqual(read(await components.layer(source)), [{ kind: "One" }]);
    });

    const REF = `sha256:${"1".repeat(64)}`;
    const artifact = { name: "raw-manifest", access: { type: "localBlob", localReference: REF } };
    const digest = (value: string, more: object = {}) => ({
      digest: { hashAlgorithm: "SHA-256", normalisationAlgorithm: "genericBlobDigest/v1", value, ...more },
    });
    for (const [what, resources] of [
      [
        "what is not there is null",
        [{ ...artifact, version: null, digest: null, access: { ...artifact.access, mediaType: null } }],
      ],
      ["the digest is that of its blob", [{ ...artifact, ...digest("1".repeat(64)) }]],
      [
        "the digest is of another sort",
        [{ ...artifact, ...digest("2".repeat(64), { normalisationAlgorithm: "ociArtifactDigest/v1" }) }],
      ],
      ["the digest is left out", [{ ...artifact, ...digest("", { hashAlgorithm: "NO-DIGEST" }) }]],
    ] as const)
      test(`are described where ${what}`, async (t) => {
        const components = await begin(t, { ...ALPHA, descriptor: { resources } });
        assert.equal(described(await components.describe(NAME, "1.4.2")).source.ref, REF);
      });

    for (const [what, resources, message] of [
      ["there are two artifacts", [artifact, artifact], /2 resources raw-manifest: one is wanted/],
      [
        "the digest is another one",
        [{ ...artifact, ...digest("2".repeat(64)) }],
        /at sha256:1+, and has the digest sha256:2+: publish/,
      ],
      [
        "the artifact is an image",
        [{ ...artifact, access: { type: "ociArtifact", imageReference: "other.test/a:1" } }],
        /raw-manifest is an image of any registry: publish it with the component/,
      ],
      [
        "an image has no name",
        [artifact, { name: "alpha", access: { type: "ociArtifact", imageReference: "" } }],
        /resource alpha names no image/,
      ],
    ] as const)
      test(`are refused where ${what}`, async (t) => {
        const components = await begin(t, { ...ALPHA, descriptor: { resources } });
        assert.match(fault(await components.describe(NAME, "1.4.2")), message);
      });

    test("keep their versions apart", async (t) => {
      const components = await begin(t, ALPHA, { ...ALPHA, version: "1.5.0", layer: "kind: New\n" });
      const [old, next] = [
        await components.describe(NAME, "1.4.2"),
        await components.describe(NAME, "1.5.0"),
      ];
      assert.equal(read(await components.layer(described(old).source)).length, 2);
      assert.equal(read(await components.layer(described(next).source)).length, 1);
    });

    test("that nobody published are absent", async (t) => {
      const components = await begin(t, ALPHA);
      assert.equal((await components.describe(NAME, "9.9.9")).state, "absent");
      const { source } = described(await components.describe(NAME, "1.4.2"));
      assert.equal((await components.layer({ ...source, ref: `sha256:${"0".repeat(64)}` })).state, "absent");
    });

    test("with a path that leads out of their tar are refused", async (t) => {
      const layer = await packTar(new Map([["../x.yaml", Buffer.from("kind: One\n")]]));
      const components = await begin(t, { ...ALPHA, layer, type: "oci-dir" });
      const { source } = described(await components.describe(NAME, "1.4.2"));
      assert.match(
        fault(await components.layer(source)),
        /alpha-store: the path "\.\.\/x\.yaml" leads out of it/,
      );
    });

    test("with a descriptor that is too large are refused", async (t) => {
      const components = await begin(t, { ...ALPHA, descriptor: { labels: "x".repeat(200 * 1024) } });
      assert.match(fault(await components.describe(NAME, "1.4.2")), /1\.4\.2: .*bytes, 102400 at most/);
    });

    for (const [type, rest] of [
      ["localBlob/v1", {}],
      ["LocalBlob/v1", {}],
      ["localOciBlob", { localReference: "", digest: `sha256:${"1".repeat(64)}` }],
    ] as const)
      test(`have an artifact by access of the type ${type}`, async (t) => {
        const access = { type, localReference: `sha256:${"1".repeat(64)}`, ...rest };
        const components = await begin(t, {
          ...ALPHA,
          descriptor: { resources: [{ name: "raw-manifest", access }] },
        });
        const { source } = described(await components.describe(NAME, "1.4.2"));
        assert.equal(source.ref, `sha256:${"1".repeat(64)}`);
      });

    for (const type of ["ociArtifact/v1", "ociRegistry", "ociImage/v1", "OCIImage/v1"])
      test(`have images by access of the type ${type}`, async (t) => {
        const [ref, imageReference] = [`sha256:${"1".repeat(64)}`, "registry.test/prod/alpha:1.4.2"];
        const resources = [
          { name: "raw-manifest", access: { type: "localBlob", localReference: ref } },
          { name: "alpha", access: { type, imageReference } },
        ];
        const components = await begin(t, { ...ALPHA, descriptor: { resources } });
        const { localizedImages } = described(await components.describe(NAME, "1.4.2"));
        assert.deepEqual(localizedImages, [imageReference]);
      });

    test("with a resource that is none are refused, and it is named", async (t) => {
      const components = await begin(t, { ...ALPHA, descriptor: { resources: [{ name: "alpha" }] } });
      assert.match(
        fault(await components.describe(NAME, "1.4.2")),
        /none of OCM: component\.resources\.0\.access: /,
      );
    });

    for (const type of ["helm", "localBlob/v2", "constructor"])
      test(`with a resource by access of the type ${type} are refused`, async (t) => {
        const resource = { name: "raw-manifest", access: { type } };
        const components = await begin(t, { ...ALPHA, descriptor: { resources: [resource] } });
        const said = fault(await components.describe(NAME, "1.4.2"));
        const words = `resource raw-manifest has access of the type ${type}, which is not known: use localBlob or relativeOciReference`;
        assert.ok(said.includes(words), said);
      });

    test("with an artifact that is no YAML are refused", async (t) => {
      const components = await begin(t, { ...ALPHA, layer: "kind: [" });
      const { source } = described(await components.describe(NAME, "1.4.2"));
      assert.match(fault(await components.layer(source)), /its document 1 cannot be read/);
    });
  });
}
