import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { describe, test } from "vitest";
import { packTar } from "../../../../shared/archive/index.ts";
import { digestOf } from "../../../../shared/oci/documents.ts";
import { type Index, MANIFEST_TYPE, type Manifest } from "../../../../shared/oci/index.ts";
import { packedComponent, type UnpackedComponent } from "./adapters/index.ts";
import { type ComponentsUnderTest, described, fault, read } from "./test-suite.ts";

const NAME = "acme.com/mods/alpha-store";
const VERSION = "1.4.2";
const INDEX_TYPE = "application/vnd.oci.image.index.v1+json";
const LIST_TYPE = "application/vnd.docker.distribution.manifest.list.v2+json";
const ALPHA = { name: NAME, version: VERSION, layer: "kind: One\n" } as const;
const MARKED = { "software.ocm.descriptor": "true" };

type Document = (Manifest | Index) & { readonly mediaType: string };
const blobOf = (content: string | Uint8Array, mediaType = "application/yaml") => {
  const bytes = Buffer.from(content);
  return { content: bytes, to: { mediaType, digest: digestOf(bytes), size: bytes.byteLength } };
};
const documentOf = (content: Document) => ({
  content,
  to: { ...blobOf(JSON.stringify(content)).to, mediaType: content.mediaType },
});
const EMPTY = blobOf("{}", "application/vnd.oci.empty.v1+json");
const image = (...layers: readonly ReturnType<typeof blobOf>[]) =>
  documentOf({
    schemaVersion: 2,
    mediaType: MANIFEST_TYPE,
    config: EMPTY.to,
    layers: layers.map(({ to }) => to),
  });
const index = (manifests: Index["manifests"], mediaType = INDEX_TYPE) =>
  documentOf({ schemaVersion: 2, mediaType, manifests });
const withArtifact = (access: object, ...more: readonly object[]): UnpackedComponent => ({
  ...ALPHA,
  descriptor: { resources: [{ name: "raw-manifest", access }, ...more] },
});
const YAML = blobOf("kind: Two\n");
const ONE_LAYER = image(YAML);

/** The contract of places of components, for artifacts of OCI that name others. `isStrict`: nothing can be published that names what is not there. */
export function artifactsSuite(
  name: string,
  start: () => Promise<ComponentsUnderTest>,
  { isStrict = false } = {},
): void {
  describe(`artifacts of OCI from ${name}`, () => {
    const begin = async (t: { onTestFinished(then: () => Promise<void>): void }) => {
      const place = await start();
      t.onTestFinished(async () => place.stop?.());
      const ask = () => place.components.describe(NAME, VERSION);
      const documents = async (): Promise<readonly unknown[]> =>
        read(await place.components.layer(described(await ask()).source));
      return { ...place, ask, documents };
    };
    /** A component whose version is an index, made of its own manifest and another one. */
    const indexed = async (
      of: (own: Index["manifests"][number], other: Index["manifests"][number]) => Document,
    ) => {
      const { manifest, blobs } = await packedComponent(ALPHA);
      const own = documentOf(manifest);
      const documents = [own, ONE_LAYER, { tag: VERSION, content: of(own.to, ONE_LAYER.to) }];
      return { blobs: [...blobs.map(({ content }) => content), EMPTY.content, YAML.content], documents };
    };

    for (const [how, of] of [
      ["is marked", (own, other) => index([other, { ...own, annotations: MARKED }]).content],
      ["comes first where none is marked", (own, other) => index([own, other]).content],
      ["comes first in a list of Docker's", (own, other) => index([own, other], LIST_TYPE).content],
    ] satisfies readonly (readonly [string, Parameters<typeof indexed>[0]])[])
      test(`may be an index: the manifest counts that ${how}`, async (t) => {
        const { publish, documents } = await begin(t);
        await publish({ component: NAME }, await indexed(of));
        assert.deepEqual(await documents(), [{ kind: "One" }]);
      });

    for (const [what, of, message] of [
      ["names nothing", () => index([]).content, /1\.4\.2: its index names no manifest/],
      [
        "marks two",
        (own, other) => index([own, other].map((one) => ({ ...one, annotations: MARKED }))).content,
        /marks 2 manifests/,
      ],
      [
        "begins with an image",
        (own, other) => index([other, own]).content,
        /1\.4\.2: its configuration does not say/,
      ],
    ] satisfies readonly (readonly [string, Parameters<typeof indexed>[0], RegExp])[])
      test(`are refused where the index of a component ${what}`, async (t) => {
        const { publish, ask } = await begin(t);
        await publish({ component: NAME }, await indexed(of));
        assert.match(fault(await ask()), message);
      });

    test("are refused where indexes lie within each other without end", async (t) => {
      const { publish, ask } = await begin(t);
      const { manifest, blobs } = await packedComponent(ALPHA);
      let within = documentOf(manifest);
      const documents: { readonly content: Document; tag?: string }[] = [within];
      for (let depth = 0; depth < 5; depth++) {
        within = index([within.to]);
        documents.push(within);
      }
      await publish(
        { component: NAME },
        {
          blobs: blobs.map(({ content }) => content),
          documents: [...documents, { ...within, tag: VERSION }],
        },
      );
      assert.match(fault(await ask()), /an index within more than 3 others/);
    });

    test.skipIf(isStrict)("are absent where an index names what is not there", async (t) => {
      const { publish, ask } = await begin(t);
      const content = index([ONE_LAYER.to]).content;
      await publish({ component: NAME }, { documents: [{ tag: VERSION, content }] });
      assert.equal((await ask()).state, "absent");
    });

    for (const [what, artifact] of [
      ["a manifest", ONE_LAYER],
      ["an index", index([ONE_LAYER.to])],
    ] as const)
      test(`hold the objects of a local artifact that is ${what}`, async (t) => {
        const { put, publish, documents } = await begin(t);
        const { mediaType, digest } = artifact.to;
        await put(withArtifact({ type: "localBlob/v1", localReference: digest, mediaType }));
        await publish(
          { component: NAME },
          { blobs: [EMPTY.content, YAML.content], documents: [ONE_LAYER, artifact] },
        );
        assert.deepEqual(await documents(), [{ kind: "Two" }]);
      });

    test("hold the objects in a layer that is packed", async (t) => {
      const { put, publish, documents } = await begin(t);
      const tar = await packTar(new Map([["rendered.yaml", Buffer.from("kind: Three\n")]]));
      const packed = blobOf(gzipSync(tar), "application/vnd.oci.image.layer.v1.tar+gzip");
      const artifact = image(packed);
      await put(
        withArtifact({ type: "localBlob", localReference: artifact.to.digest, mediaType: MANIFEST_TYPE }),
      );
      await publish({ component: NAME }, { blobs: [EMPTY.content, packed.content], documents: [artifact] });
      assert.deepEqual(await documents(), [{ kind: "Three" }]);
    });

    for (const [what, layers] of [
      ["no layer", []],
      ["two layers", [YAML, blobOf("read me", "text/plain")]],
    ] as const)
      test(`with ${what} are refused`, async (t) => {
        const { put, publish, ask } = await begin(t);
        const artifact = image(...layers);
        await put(
          withArtifact({ type: "localBlob", localReference: artifact.to.digest, mediaType: MANIFEST_TYPE }),
        );
        await publish(
          { component: NAME },
          { blobs: [EMPTY, ...layers].map(({ content }) => content), documents: [artifact] },
        );
        assert.match(fault(await ask()), new RegExp(`${artifact.to.digest} has ${layers.length} layers`));
      });

    const REPOSITORY = "acme/manifests/alpha";
    for (const [how, type, reference] of [
      ["tag", "relativeOciReference", `${REPOSITORY}:v1`],
      ["digest", "relativeOciReference/v1", `${REPOSITORY}@${ONE_LAYER.to.digest}`],
      ["digest, whatever the tag", "relativeOciReference", `${REPOSITORY}:v9@${ONE_LAYER.to.digest}`],
    ] as const)
      test(`lie elsewhere in the registry of their component, by ${how}`, async (t) => {
        const { put, publish, ask, documents } = await begin(t);
        await put(withArtifact({ type, reference }));
        await publish(
          { repository: REPOSITORY },
          { blobs: [EMPTY.content, YAML.content], documents: [{ ...ONE_LAYER, tag: "v1" }] },
        );
        assert.deepEqual(await documents(), [{ kind: "Two" }]);
        const { source } = described(await ask());
        assert.deepEqual([source.name, source.ref, source.repository], [NAME, YAML.to.digest, REPOSITORY]);
      });

    for (const [what, reference, message] of [
      ["names neither tag nor digest", REPOSITORY, /without tag and digest/],
      ["is none", "acme:v1:v2", /without tag and digest/],
    ] as const)
      test(`are refused where the reference ${what}`, async (t) => {
        const { put, ask } = await begin(t);
        await put(withArtifact({ type: "relativeOciReference", reference }));
        assert.match(fault(await ask()), message);
      });

    test("are not looked for outside of their registry", async (t) => {
      const { put, ask } = await begin(t);
      for (const reference of ["../../other.test/alpha:v1", "/etc/alpha:v1", "//other.test/alpha:v1"]) {
        await put(withArtifact({ type: "relativeOciReference", reference }));
        assert.match((await ask()).state, /^(absent|faulty)$/, reference);
      }
    });

    test("are images of the registry that holds their component, where there is one", async (t) => {
      const { put, ask, host } = await begin(t);
      const relative = {
        name: "alpha",
        access: { type: "relativeOciReference", reference: "prod/alpha:1.4.2" },
      };
      const local = { type: "localBlob", localReference: YAML.to.digest };
      await put(withArtifact(local, relative));
      const images = host === undefined ? [] : [`${host}/prod/alpha:1.4.2`];
      assert.deepEqual(described(await ask()).localizedImages, images);
    });
  });
}
