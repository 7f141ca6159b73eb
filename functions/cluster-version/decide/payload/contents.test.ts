import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, test } from "vitest";
import type { PayloadFile } from "../../../../shared/ports/payloads/index.ts";
import { configMap, INCLUDE, payloadFiles } from "../../test/payload-files.ts";
import { contentsOf } from "./contents.ts";
import { PayloadError } from "./errors.ts";
import { included } from "./included.ts";
import { DEFAULT_PROFILE } from "./payload.ts";

const options = { image: "reg.example/rel@sha256:aa", profile: DEFAULT_PROFILE };
const read = (files: readonly PayloadFile[]) => contentsOf(files, options);

function issuesOf(files: readonly PayloadFile[]) {
  try {
    read(files);
  } catch (error) {
    if (error instanceof PayloadError) return error.issues;
    throw error;
  }
  assert.fail("the payload was taken");
}

const upstream = process.env.CONFORMANCE_DATA;

describe("a directory of upstream", { skip: upstream === undefined }, () => {
  const filesIn = (name: string): PayloadFile[] =>
    ["manifests", "release-manifests"].flatMap((folder) => {
      const path = join(upstream ?? "", "cluster-version", name, folder);
      return readdirSync(path).map((file) => ({
        path: `${folder}/${file}`,
        content: readFileSync(join(path, file)),
      }));
    });

  test("has the golden hash", () => {
    const payload = included(read(filesIn("payloadtest")), {
      excludeIdentifier: "exclude-test",
      featureSet: "",
      featureGates: new Set(),
      profile: DEFAULT_PROFILE,
    });
    assert.equal(payload.versionHash, "DL-FFQ2Uem8=");
    assert.deepEqual(
      payload.manifests.map(({ name }) => name),
      ["file-json", "file-yaml", "file-yml"],
    );
    assert.deepEqual(payload.release, {
      version: "1.0.0-abc",
      image: options.image,
      url: "https://example.com/v1.0.0-abc",
      channels: ["channel-a", "channel-b", "channel-c"],
    });
    assert.deepEqual(payload.previous, ["1.1.1", "1.2.2"]);
    assert.deepEqual(
      payload.excluded.map(({ manifest, why }) => [manifest.name, why]),
      [["file-20-yml", "exclude.release.openshift.io/exclude-test=true"]],
    );
  });

  test("is filtered by feature gates", () => {
    const contents = read(filesIn("featuregatetest"));
    const names = (...gates: string[]) =>
      included(contents, {
        featureSet: "",
        featureGates: new Set(gates),
        profile: DEFAULT_PROFILE,
      }).manifests.map(({ name }) => name);
    assert.deepEqual(names(), ["always-included", "legacy-excluded"]);
    assert.deepEqual(names("ExperimentalFeature", "LegacyFeature"), [
      "always-included",
      "experimental-feature",
    ]);
  });
});

describe("the order of a payload", () => {
  test("is manifests first, then byte order of file names, then the order within a file", () => {
    const { manifests } = read(
      payloadFiles({
        "release-manifests/b.yaml": `${configMap("b1")}\n---\n---\n# nothing\n---\n${configMap("b2")}`,
        "release-manifests/B.json": configMap("B"),
        "release-manifests/\u{1F600}.yml": configMap("astral"),
        "release-manifests/\uFF5E.yml": configMap("basic"),
        "manifests/z.yaml": configMap("z"),
        "release-manifests/deeper/a.yaml": configMap("deeper"),
        "release-manifests/notes.txt": "nothing: [",
        "release-manifests/a": configMap("no-extension"),
      }),
    );
    assert.deepEqual(
      manifests.map(({ name, document }) => [name, document]),
      [
        ["z", 1],
        ["B", 1],
        ["b1", 1],
        ["b2", 2],
        ["basic", 1],
        ["astral", 1],
      ],
    );
  });

  test("does not depend on the order in which the files come", () => {
    const files = payloadFiles(
      Object.fromEntries(["a", "b", "c", "d"].map((n) => [`manifests/${n}.yaml`, configMap(n)])),
    );
    const expected = included(read(files), {}).versionHash;
    fc.assert(
      fc.property(fc.shuffledSubarray(files, { minLength: files.length }), (shuffled) => {
        assert.equal(included(read(shuffled), {}).versionHash, expected);
      }),
    );
  });
});

describe("what a payload may not be", () => {
  test("metadata of another kind, without a version, or with one that is none", () => {
    const metadata = (content: unknown) =>
      issuesOf(payloadFiles({ "release-manifests/release-metadata": JSON.stringify(content) }));
    const file = "release-manifests/release-metadata";
    assert.deepEqual(metadata({ kind: "other", version: "1.0.0" }), [
      { file, message: 'unrecognized Cincinnati metadata kind "other"' },
    ]);
    assert.deepEqual(metadata({ kind: "cincinnati-metadata-v0" }), [
      { file, message: "missing required Cincinnati metadata version" },
    ]);
    assert.deepEqual(metadata({ kind: "cincinnati-metadata-v0", version: "v1" }), [
      { file, message: 'invalid Cincinnati metadata version "v1": no semantic version' },
    ]);
    assert.match(
      issuesOf(payloadFiles({ [file]: "kind: cincinnati-metadata-v0" }))[0]?.message ?? "",
      /^it is no JSON: /,
    );
  });

  test("images of another version", () => {
    const other = payloadFiles({}, { version: "5.1.8" }).find(({ path }) =>
      path.endsWith("image-references"),
    );
    const files = payloadFiles({}).map((file) => (file.path === other?.path ? other : file));
    assert.deepEqual(issuesOf(files), [
      {
        file: "release-manifests/image-references",
        message: "version from image-references (5.1.8) differs from release-metadata (5.1.9)",
      },
    ]);
  });

  test("without one of the two files", () => {
    for (const missing of ["release-manifests/release-metadata", "release-manifests/image-references"])
      assert.deepEqual(issuesOf(payloadFiles({}).filter(({ path }) => path !== missing)), [
        { file: missing, message: "it is missing" },
      ]);
  });

  test("with documents that cannot be read, each of them told", () => {
    const issues = issuesOf(
      payloadFiles({
        "release-manifests/0000_10_a_x.yaml": `${configMap("fine")}\n---\na: b: c\n---\nkind: ConfigMap\n`,
        "release-manifests/0000_20_a_x.json": `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": 5}}`,
        "release-manifests/0000_30_a_x.yaml": `${configMap("twice")}\n---\n${configMap("twice")}`,
        "release-manifests/0000_40_a_x.yaml": "- a list",
      }),
    );
    assert.deepEqual(
      issues.map(({ file, document }) => [file.slice("release-manifests/".length), document]),
      [
        ["0000_10_a_x.yaml", 2],
        ["0000_10_a_x.yaml", 3],
        ["0000_20_a_x.json", 1],
        ["0000_30_a_x.yaml", 2],
        ["0000_40_a_x.yaml", 1],
      ],
    );
    assert.equal(issues[1]?.message, "it has no apiVersion, no metadata.name");
    assert.equal(
      issues[3]?.message,
      'duplicate resource: (Group: "" Kind: "ConfigMap" Namespace: "demo" Name: "twice"), also document 1',
    );
  });

  test("with bytes that are no text", () => {
    const files = [
      ...payloadFiles({}),
      { path: "release-manifests/a.yaml", content: new Uint8Array([0xff, 0xfe]) },
    ];
    assert.deepEqual(issuesOf(files), [{ file: "release-manifests/a.yaml", message: "it is no UTF-8 text" }]);
  });

  test("told in one sentence, with the first ten faults", () => {
    const bad = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [`release-manifests/${n + 10}.yaml`, "kind: A"] as const),
    );
    assert.throws(
      () => read(payloadFiles(bad)),
      (error) => {
        assert(error instanceof PayloadError);
        assert.equal(error.reason, "UpdatePayloadIntegrity");
        assert.match(
          error.message,
          /^Error loading manifests from reg\.example\/rel@sha256:aa: \[release-manifests\/10/,
        );
        assert.match(error.message, /, and 2 more\]$/);
        return true;
      },
    );
  });

  test("but one object in two files it may hold", () => {
    const { manifests } = read(
      payloadFiles({ "manifests/a.yaml": configMap("x"), "release-manifests/a.yaml": configMap("x") }),
    );
    assert.equal(manifests.length, 2);
  });
});

describe("labels and annotations without a value", () => {
  const written = (annotations: string) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {app: }, annotations: {${annotations}, ${INCLUDE}: "true"}}`;
  const read = (annotations: string) =>
    included(
      contentsOf(payloadFiles({ "release-manifests/a.yaml": written(annotations) }), {
        image: "reg.example/rel:1",
        profile: DEFAULT_PROFILE,
      }),
      { profile: DEFAULT_PROFILE },
    );

  test("are empty texts to the filter and to the server, and null to the hash", () => {
    const { manifests, excluded } = read("x: ");
    assert.deepEqual(excluded, []);
    assert.deepEqual(manifests[0]?.object.metadata.annotations, { x: "", [INCLUDE]: "true" });
    assert.deepEqual(manifests[0]?.object.metadata.labels, { app: "" });
    assert.match(manifests[0]?.raw ?? "", /"x":null/);
  });

  test("of another type count as no annotations at all", () =>
    assert.deepEqual(
      read("x: 1").excluded.map(({ why }) => why),
      ["no annotations"],
    ));
});

describe("templates", () => {
  test("are filled in within manifests/ only", () => {
    const { manifests } = read(
      payloadFiles(
        {
          "manifests/a.yaml": configMap("a", {
            image: "{{.ReleaseImage}}",
            tag: "{{index .Images `web-ui`}}",
          }),
          "release-manifests/b.yaml": configMap("b", { image: "{{.ReleaseImage}}" }),
        },
        { tags: { "web-ui": "reg.example/ui@sha256:cc" } },
      ),
    );
    assert.deepEqual(
      manifests.map(({ object }) => object.metadata.annotations),
      [
        { [INCLUDE]: "true", image: "reg.example/rel@sha256:aa", tag: "reg.example/ui@sha256:cc" },
        { [INCLUDE]: "true", image: "{{.ReleaseImage}}" },
      ],
    );
  });

  test("that ask for what only a newer version knows are left out with a warning", () => {
    const { manifests, warnings } = read(
      payloadFiles({ "manifests/a.yaml": "{{.FutureField}}: [", "manifests/b.yaml": configMap("b") }),
    );
    assert.deepEqual(
      manifests.map(({ name }) => name),
      ["b"],
    );
    assert.deepEqual(warnings, [
      "manifests/a.yaml: it asks for .FutureField, which only a newer version knows, and is left out",
    ]);
  });

  test("that cannot be read or ask for an image that is not there are faults", () => {
    assert.deepEqual(
      issuesOf(
        payloadFiles({
          "manifests/a.yaml": "a: {{.ReleaseImage",
          "manifests/b.yaml": '\na: {{index .Images "none"}}',
        }),
      ),
      [
        { file: "manifests/a.yaml", message: "line 1: an action is not closed" },
        { file: "manifests/b.yaml", message: 'line 2: image-references has no tag "none"' },
      ],
    );
  });
});
