import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { configuration } from "../../configuration.ts";
import { memoryReleases } from "../../ports/releases/adapters/index.ts";
import { credentialsIn, namespacedReleases, secretOf } from "./index.ts";

const { sources } = configuration.parse({
  sources: {
    open: { github: { repository: "acme/open" } },
    hub: { github: { repository: "acme/stacks" }, secretName: "acme" },
    registry: { oci: { repository: "registry.example.org/stacks" }, secretName: "acme" },
  },
  sourceSecrets: ["secrets/acme"],
});
const PLACE = { apiVersion: "v1", kind: "Secret", name: "acme", namespace: "team" } as const;
const data = (texts: Readonly<Record<string, string>>) => ({
  data: Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString("base64")]),
  ),
});

describe("the Secret of a source", () => {
  test("lies in the namespace of those that ask, where the configuration names one", () => {
    assert.deepEqual(secretOf(sources, "hub", "team"), PLACE);
    for (const other of ["open", "unknown", "constructor"])
      assert.equal(secretOf(sources, other, "team"), undefined);
  });

  for (const [name, source, texts, found] of [
    ["a token", "hub", { token: "t\n", password: "p" }, { credentials: { token: "t" } }],
    ["a token for a registry", "registry", { token: "t" }, { credentials: { token: "t" } }],
    [
      "a login for a registry",
      "registry",
      { username: "u", password: "p" },
      { credentials: { username: "u", password: "p" } },
    ],
    [
      "no token",
      "hub",
      { username: "u", password: "p" },
      { lacks: "Secret team/acme has no token in its data: add it" },
    ],
    ["an empty token", "hub", { token: "" }, { lacks: "Secret team/acme has no token in its data: add it" }],
    [
      "half of a login",
      "registry",
      { username: "u" },
      { lacks: "Secret team/acme has no password in its data: add it" },
    ],
    [
      "nothing for a registry",
      "registry",
      {},
      { lacks: "Secret team/acme has no token, nor username and password in its data: add it" },
    ],
    [
      "what no header can hold",
      "hub",
      { token: "one\ntwo" },
      { lacks: "Secret team/acme: token is no credential: one line is wanted, without spaces" },
    ],
  ] as const)
    test(`may hold ${name}`, () =>
      assert.deepEqual(credentialsIn(sources[source], PLACE, data(texts)), found));

  test("may be missing, which says what to make", () => {
    assert.deepEqual(credentialsIn(sources.hub, PLACE, undefined), {
      lacks: "there is no Secret team/acme: make it, with the data token",
    });
    assert.deepEqual(credentialsIn(sources.registry, PLACE, undefined), {
      lacks: "there is no Secret team/acme: make it, with the data username and password, or token",
    });
  });

  test("is read for each question, and a source without one is asked as it is", async () => {
    const memory = memoryReleases();
    memory.wants("right", "hub");
    memory.wants(undefined, "open");
    let secret: { readonly data: Readonly<Record<string, string>> } | undefined;
    const read: string[] = [];
    const asked = namespacedReleases(memory, sources, async ({ namespace, name }) => {
      read.push(`${namespace}/${name}`);
      return secret;
    });
    const hub = { source: "hub", namespace: "team" };
    const missing = await asked.list(hub, {});
    assert.ok(missing.state === "failed" && missing.reason === "no credentials");
    assert.match(missing.message, /^source hub: there is no Secret team\/acme/);
    assert.deepEqual(memory.asked, []);
    secret = data({ token: "wrong" });
    const refused = await asked.open(hub, "a-b-1-27-v1", {});
    assert.ok(refused.state === "failed" && refused.reason === "refused");
    secret = data({ token: "right" });
    assert.equal((await asked.open(hub, "a-b-1-27-v1", {})).state, "absent");
    assert.equal(read.length, 3);
    assert.equal((await asked.list({ source: "open", namespace: "team" }, {})).state, "listed");
    assert.equal(read.length, 3);
  });
});

describe("the configuration of a source with a Secret", () => {
  const refused = (value: unknown, message: RegExp): void => {
    const { error } = configuration.safeParse(value);
    assert.match(error?.message ?? "", message);
  };
  const github = { repository: "acme/stacks" };
  test("admits that Secret", () => {
    refused({ sources: { hub: { github, secretName: "acme" } } }, /add secrets\/NAME/);
    refused({ sourceSecrets: ["secrets"] }, /write secrets\/NAME/);
  });
  test("names credentials once", () => {
    const sourceSecrets = ["secrets/acme"];
    for (const source of [
      { github: { ...github, tokenFile: "t" }, secretName: "acme" },
      { folder: "releases", secretName: "acme" },
    ])
      refused({ sources: { hub: source }, sourceSecrets }, /takes the place of tokenFile/);
  });
});
