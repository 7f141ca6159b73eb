import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { catalogue, parseEvent } from "../../events/index.ts";
import type { Delivery, Reading, Trigger } from "../../shared/function/trigger.ts";
import { github } from "./github.ts";
import { registry } from "./registry.ts";
import { triggers } from "./triggers.ts";

const delivery = (body: unknown, headers: Readonly<Record<string, string>> = {}): Delivery => ({
  body,
  header: (name) => headers[name],
});
const read = (trigger: Trigger, body: unknown, event?: string): Reading => {
  const it = delivery(body, event === undefined ? {} : { "x-github-event": event });
  return trigger.read(trigger.typeOf(it) ?? assert.fail("of no type"), it);
};
/** The releases that a delivery tells; each is an event as the catalogue wants it. */
const releases = (reading: Reading): readonly unknown[] => {
  assert.ok("notices" in reading, JSON.stringify(reading));
  return reading.notices.map(({ event }) => {
    const whole = {
      specversion: "1.0",
      source: "/x",
      time: "2026-01-15T10:00:00Z",
      datacontenttype: "application/json",
      ...event,
    };
    assert.ok(parseEvent(whole, catalogue).ok, JSON.stringify(whole));
    return event.data;
  });
};

// As GitHub documents its payloads, shortened by what nobody reads here.
const release = {
  action: "published",
  release: {
    id: 17_372_790,
    tag_name: "v1.4.0",
    target_commitish: "main",
    draft: false,
    prerelease: false,
    created_at: "2026-01-15T09:50:00Z",
    published_at: "2026-01-15T09:58:00Z",
  },
  repository: { id: 1, full_name: "example/chart", html_url: "https://github.com/example/chart" },
  sender: { login: "alice" },
};
const image = {
  name: "app",
  namespace: "example",
  package_type: "CONTAINER",
  package_version: {
    version: "sha256:aa",
    updated_at: "2026-01-15T09:58:00Z",
    package_url: "ghcr.io/example/app:1.2",
    container_metadata: { tag: { name: "1.2", digest: "sha256:aa" } },
  },
};

describe("GitHub's webhooks", () => {
  it("tell of a release that was published", () => {
    const reading = read(github, release, "release");
    assert.deepEqual(releases(reading), [
      { origin: "github.com/example/chart", version: "v1.4.0", publishedAt: "2026-01-15T09:58:00Z" },
    ]);
    assert.ok("notices" in reading && reading.notices[0]?.at === "2026-01-15T09:58:00Z");
    const enterprise = {
      ...release,
      repository: { ...release.repository, html_url: "https://git.example.org/example/chart" },
    };
    assert.match(
      JSON.stringify(releases(read(github, enterprise, "release"))),
      /git\.example\.org\/example\/chart/,
    );
  });

  it("tell of a container image under both names of the event", () => {
    const expected = [
      {
        origin: "ghcr.io/example/app",
        version: "1.2",
        digest: "sha256:aa",
        publishedAt: "2026-01-15T09:58:00Z",
      },
    ];
    assert.deepEqual(releases(read(github, { action: "published", package: image }, "package")), expected);
    assert.deepEqual(
      releases(read(github, { action: "published", registry_package: image }, "registry_package")),
      expected,
    );
  });

  it("are no news yet where it is a draft", () => {
    const draft = { ...release, release: { ...release.release, draft: true } };
    assert.deepEqual(read(github, draft, "release"), {
      ignored: "A draft is no news before it is published.",
    });
  });

  it("are no news where nothing was published", () => {
    const nothing = [
      read(github, { zen: "Keep it simple." }, "ping"),
      read(github, { ...release, action: "edited" }, "release"),
      read(github, { ...release, release: { ...release.release, draft: true } }, "release"),
      read(github, { action: "published", package: { ...image, package_type: "npm" } }, "package"),
      read(
        github,
        { action: "published", package: { ...image, package_version: { updated_at: null } } },
        "package",
      ),
    ];
    for (const reading of nothing) assert.ok("ignored" in reading, JSON.stringify(reading));
  });

  it("name what is missing by its path", () => {
    const { tag_name: _, ...untagged } = release.release;
    assert.deepEqual(read(github, { ...release, release: untagged }, "release"), {
      issues: ["release.tag_name: expected string, received undefined"],
    });
    assert.deepEqual(read(github, null, "release"), { issues: ["(body): expected object, received null"] });
  });
});

// As the distribution registry documents its envelope.
const notification = {
  events: [
    {
      id: "320678d8-ca14-430f-8bb6-4ca139cd83f7",
      timestamp: "2026-01-15T09:58:26.402973972-08:00",
      action: "push",
      target: {
        mediaType: "application/vnd.oci.image.manifest.v1+json",
        size: 708,
        digest: "sha256:fea8895f450959fa676bcc1df0611ea93823a735a01205fd8622846041d0c7cf",
        repository: "library/app",
        url: "http://registry.example.org:5000/v2/library/app/manifests/sha256:fea8",
        tag: "1.2",
      },
      request: { id: "6df24a34", addr: "192.0.2.1", host: "registry.example.org:5000", method: "PUT" },
      actor: {},
      source: { addr: "xtal.local:5000" },
    },
  ],
};
const [pushed = assert.fail()] = notification.events;
const harbor = {
  type: "PUSH_ARTIFACT",
  occur_at: 1_768_471_080,
  operator: "admin",
  event_data: {
    resources: [{ digest: "sha256:8a9e", tag: "2.0", resource_url: "harbor.example.org/library/app:2.0" }],
    repository: { name: "app", namespace: "library", repo_full_name: "library/app", repo_type: "private" },
  },
};

describe("registries' notifications", () => {
  it("tell of tags that were pushed", () => {
    assert.deepEqual(releases(read(registry, notification)), [
      {
        origin: "registry.example.org:5000/library/app",
        version: "1.2",
        digest: pushed.target.digest,
        publishedAt: pushed.timestamp,
      },
    ]);
    const { request: _, ...unsaid } = pushed;
    assert.match(
      JSON.stringify(releases(read(registry, { events: [unsaid] }))),
      /registry\.example\.org:5000\/library\/app"/,
    );
    assert.deepEqual(releases(read(registry, harbor)), [
      {
        origin: "harbor.example.org/library/app",
        version: "2.0",
        digest: "sha256:8a9e",
        publishedAt: "2026-01-15T09:58:00.000Z",
      },
    ]);
  });

  it("take blobs, pulls and what has no tag without a word: a registry would repeat them for ever", () => {
    const { tag: _, ...untagged } = pushed.target;
    for (const body of [
      { events: [] },
      { events: [{ ...pushed, action: "pull" }] },
      { events: [{ ...pushed, target: untagged }] },
    ])
      assert.ok("ignored" in read(registry, body));
  });

  it("tell a tag that moved as another release", () => {
    const idOf = (digest: string): string => {
      const reading = read(registry, { events: [{ ...pushed, target: { ...pushed.target, digest } }] });
      return "notices" in reading ? (reading.notices[0]?.event.id ?? "") : "";
    };
    assert.notEqual(idOf("sha256:1"), idOf("sha256:2"));
    assert.equal(idOf("sha256:1"), idOf("sha256:1"));
  });

  it("say of which type they are, and what is missing", () => {
    assert.equal(registry.typeOf(delivery({ ...harbor, type: "DELETE_ARTIFACT" })), "DELETE_ARTIFACT");
    assert.ok(!registry.types.includes("DELETE_ARTIFACT"));
    assert.equal(registry.typeOf(delivery([])), undefined);
    const reading = read(registry, { events: [{ ...pushed, timestamp: "yesterday" }] });
    assert.match("issues" in reading ? (reading.issues[0] ?? "") : "", /^events\.0\.timestamp: /);
  });
});

it("every webhook has a name of its own, and knows its types", () => {
  assert.equal(new Set(triggers.map(({ name }) => name)).size, triggers.length);
  for (const { types } of triggers) assert.ok(types.length > 0);
});
