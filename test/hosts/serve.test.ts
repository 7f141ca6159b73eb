import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { request } from "node:https";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, it, type TestContext } from "vitest";
import { eventually } from "../../infra/testing/eventually.ts";
import { HOST_LABEL, hearingHosts } from "../../shared/host/beats/index.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { Lease } from "../../shared/kube/kinds/index.ts";
import { createAuthority, type Pair } from "../../shared/tls/index.ts";
import { type HostProcess, Stage } from "./stage.ts";

const LIMIT = 60_000;

interface Served {
  readonly stage: Stage;
  readonly host: HostProcess;
  readonly url: string;
  post(path: string, body: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}
interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function served(t: TestContext): Promise<Served> {
  const stage = await Stage.open(t);
  const [token, secret] = [join(stage.folder, "token"), join(stage.folder, "secret")];
  writeFileSync(token, "opensesame\n");
  writeFileSync(secret, "hush");
  const host = await stage.host(["serve", "--listen", "127.0.0.1:0"], {
    REVEILLE_SERVE_CALLERS: JSON.stringify({
      ci: { tokenFile: token },
      gone: { tokenFile: `${token}-gone` },
    }),
    REVEILLE_SERVE_TRIGGERS_GITHUB_SECRET_FILE: secret,
    REVEILLE_SERVE_MAXIMUM_BODY: "10000",
    REVEILLE_SERVE_TIMEOUT: "1s",
  });
  await host.readyz(200);
  await host.says('"ready"');
  const url = /"serves":"([^"]+)"/.exec(host.stdout())?.[1] ?? "";
  return {
    stage,
    host,
    url,
    async post(path, body, headers = {}) {
      const response = await fetch(url + path, { method: "POST", body, headers });
      return { status: response.status, body: (await response.json()) as Answer["body"] };
    },
  };
}

const known = { authorization: "Bearer opensesame", "content-type": "application/cloudevents+json" };
const event = (type: string, data: unknown, id = "one"): string =>
  JSON.stringify({
    specversion: "1.0",
    id,
    type,
    source: "/people",
    time: new Date().toISOString(),
    datacontenttype: "application/json",
    data,
  });

describe("reveille serve", () => {
  it("takes commands of those whom it knows, and workers carry them out", async (t) => {
    const { stage, host, post } = await served(t);
    const worker = await stage.host(["run"]);
    await worker.readyz(200);
    await stage.make("one", { how: "well" });
    const asked = event("command.reconcile", {
      object: { group: "hosts.example.org", kind: "Trouble", namespace: "default", name: "one" },
      askedBy: "somebody",
      reason: "nothing changed",
    });
    assert.equal((await post("/events", asked)).status, 401);
    const wrong = await post("/events", asked, { ...known, authorization: "Bearer wrong" });
    assert.deepEqual(
      [wrong.status, wrong.body.code],
      [503, "SECRET_UNREADABLE"],
      "he may be the one whose token is gone",
    );
    // Its watcher has it run by itself: what tells is who asked.
    assert.doesNotMatch(worker.stdout(), /"command":/);
    assert.deepEqual(await post("/events", asked, known), { status: 202, body: { accepted: ["one"] } });
    await worker.says('"askedBy":"somebody via ci"');
    assert.match(
      worker.stdout(),
      /"command":"one".*looks at Trouble\.hosts\.example\.org default\/one again/,
    );
    await eventually("it is looked at", async () => (await stage.says("one")) === "went well", LIMIT);

    assert.match(host.stdout(), /"level":50.*"caller gone: it cannot be read: ENOENT/);
    assert.equal(await host.metric('reveille_secret_readable{secret="caller gone"}'), 0);
    assert.equal(await host.metric('reveille_secret_readable{secret="caller ci"}'), 1);
    const unknown = await post("/events", event("command.dance", {}), known);
    assert.equal(unknown.status, 422);
    assert.match(String(unknown.body.message), /known are .*command\.reconcile/);
    assert.equal((await post("/events", "x".repeat(10_001), known)).status, 413);
    host.child.kill("SIGTERM");
    assert.equal((await host.ended).code, 0);
  });

  it("takes webhooks that are signed, and no others", async (t) => {
    const { post } = await served(t);
    const body = JSON.stringify({
      action: "published",
      release: { tag_name: "v1.2.3", draft: false, published_at: new Date().toISOString() },
      repository: { full_name: "a/b", html_url: "https://github.com/a/b" },
    });
    const headers = {
      "x-github-event": "release",
      "x-github-delivery": "d1",
      "content-type": "application/json",
      "x-hub-signature-256": `sha256=${createHmac("sha256", "hush").update(body).digest("hex")}`,
    };
    assert.equal((await post("/triggers/github", `${body} `, headers)).status, 401);
    assert.equal((await post("/triggers/github", body, headers)).status, 202);
    assert.equal((await post("/triggers/github", body, headers)).status, 200, "it was taken before");
    assert.equal((await post("/triggers/registry", body, headers)).status, 404, "it has no secret");
  });

  it("takes what certificates prove, by TLS and through a gateway", async (t) => {
    const stage = await Stage.open(t);
    const authority = createAuthority();
    const shown = authority.issue({ commonName: "serve", serverNames: ["127.0.0.1"] });
    const file = (name: string, text: string): string => {
      writeFileSync(join(stage.folder, name), text);
      return join(stage.folder, name);
    };
    const host = await stage.host(["run"], {
      REVEILLE_SERVE_LISTEN: "127.0.0.1:0",
      REVEILLE_SERVE_CERTIFIED_AUTHORITIES: file("ca.crt", authority.certificate),
      REVEILLE_SERVE_CERTIFIED_FORWARDED: "true",
      REVEILLE_SERVE_CERTIFIED_TLS_LISTEN: "127.0.0.1:0",
      REVEILLE_SERVE_CERTIFIED_TLS_CERTIFICATE: file("tls.crt", shown.certificate),
      REVEILLE_SERVE_CERTIFIED_TLS_KEY: file("tls.key", shown.key),
    });
    await host.readyz(200);
    await host.says('"ready"');
    const at = (name: string): string => new RegExp(`"${name}":"([^"]+)"`).exec(host.stdout())?.[1] ?? "";
    const alice = authority.issue({ commonName: "alice" });
    // As long as a certificate of a long key with its chain.
    const forwarded = `Cert="${encodeURIComponent(alice.certificate)}";Chain="${"x".repeat(20_000)}"`;
    const through = (header: Record<string, string>): Promise<number> =>
      fetch(`${at("serves")}/told/home`, { method: "POST", body: "{}", headers: header }).then(
        ({ status }) => status,
      );
    assert.equal(await through({ "x-forwarded-client-cert": forwarded }), 202);
    assert.equal(await through({}), 401);
    const directly = (pair: Pair | undefined, house = "home"): Promise<number> =>
      new Promise((resolve, reject) => {
        const identity = pair && { cert: pair.certificate, key: pair.key };
        const options = { ca: authority.certificate, ...identity, method: "POST", agent: false as const };
        request(`${at("certified")}/told/${house}`, options, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        })
          .on("error", reject)
          .end("{}");
      });
    assert.equal(await directly(alice), 202);
    assert.equal(await directly(undefined), 401);
    assert.equal(await directly(createAuthority().issue({ commonName: "alice" })), 401);

    assert.equal(await directly(alice, "alive"), 202);
    assert.equal(await host.metric('reveille_heard_senders{trigger="told"}'), 1);
    host.child.kill("SIGTERM");
    assert.equal((await host.ended).code, 0);
    const { items } = await stage.client.list(resourceOf(Lease), {
      namespace: "reveille-system",
      labelSelector: HOST_LABEL,
    });
    const [left, ...others] = hearingHosts(items);
    assert.deepEqual([[...(left?.heard.get("told")?.keys() ?? [])], others], [["alice"], []]);
  });

  it("lets functions be invoked by hand, dry", async (t) => {
    const { stage, url, host, post } = await served(t);
    const functions = await fetch(`${url}/functions`, { headers: known });
    assert.match(await functions.text(), /"name":"trouble"/);
    const object = await stage.make("one", { how: "well" });
    const { uid, resourceVersion, generation } = object.metadata;
    const changed = event("resource.changed", {
      ref: {
        cluster: "any",
        group: "hosts.example.org",
        version: "v1",
        kind: "Trouble",
        namespace: "default",
        name: "one",
        uid,
      },
      resourceVersion,
      generation,
      era: 0,
      lane: "urgent",
      differs: ["object"],
      facts: {},
      was: {},
      seen: [],
      incomplete: false,
      owners: [],
      ready: false,
      deleting: false,
    });
    const malformed = await post("/functions/trouble/invoke", event("resource.changed", {}), known);
    assert.equal(malformed.status, 400, JSON.stringify(malformed.body));
    const dry = await post("/functions/trouble/invoke?dry-run=true", changed, known);
    assert.equal(dry.status, 200, JSON.stringify(dry.body) + host.stdout());
    assert.match(JSON.stringify(dry.body), /went well/);
    assert.equal(await stage.says("one"), undefined);
  });

  it("ends a request that does not arrive", async (t) => {
    const { url } = await served(t);
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write("POST /events HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nabc");
    let answer = "";
    socket.on("data", (bytes) => {
      answer += bytes;
    });
    await once(socket, "close", { signal: AbortSignal.timeout(LIMIT) });
    assert.match(answer, /^HTTP\/1\.1 40[18]/);
  });
});
