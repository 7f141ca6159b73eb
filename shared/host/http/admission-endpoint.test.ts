import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import { manualClock } from "../../../infra/testing/settling-clock.ts";
import { admission, allow, defineKind, defineSystem, deny } from "../../function/index.ts";
import { KubeError } from "../../kube/errors.ts";
import { ConfigMap } from "../../kube/kinds/index.ts";
import { silent } from "../../log/log.ts";
import { configuredAdmissions } from "../configuration.ts";
import { questionIngress } from "./question-ingress.ts";

class Kite extends defineKind({
  group: "faces.example.org",
  version: "v1",
  kind: "Kite",
  scope: "Namespaced",
  fields: { spec: z.object({ tail: z.number() }) },
}) {}

const judge = admission("kite-judge", Kite, ["create"]).function({
  webhook: { path: "/admit-example-kite" },
  reads: [ConfigMap],
  config: z.object({ longest: z.number() }),
  observe: async ({ read, object }) => ({
    map: await read.get(ConfigMap, { name: "rules", namespace: object.metadata.namespace }),
  }),
  admit: ({ object, dryRun }, { config }) =>
    object.spec.tail > config.longest
      ? deny(`a tail of ${object.spec.tail} – “too long”`, 409)
      : allow(undefined, dryRun ? ["only asked"] : []),
});
const system = defineSystem({
  name: "kites",
  config: z.object({ longest: z.number().default(3) }),
  functions: [],
  admissions: [judge],
});

const review = (tail: unknown, over: object = {}) => ({
  apiVersion: "admission.k8s.io/v1",
  kind: "AdmissionReview",
  request: {
    uid: "u-1",
    kind: { group: "faces.example.org", version: "v1", kind: "Kite" },
    resource: { group: "faces.example.org", version: "v1", resource: "kites" },
    operation: "CREATE",
    namespace: "n",
    object: { metadata: { name: "k" }, spec: { tail } },
    ...over,
  },
});

function scene(get: () => Promise<unknown> = async () => undefined) {
  const clock = manualClock(0);
  const handler = questionIngress({
    admissions: configuredAdmissions([system]),
    client: { get } as never,
    clock,
    log: silent,
  });
  const post = async (body: unknown, query = "?timeout=10s", path = "/admit-example-kite") => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const response = await handler(
      new Request(`http://serve${path}${query}`, { method: "POST", body: text }),
    );
    const answer = await response.text();
    return { status: response.status, type: response.headers.get("content-type"), text: answer };
  };
  return { clock, post, handler };
}
const responseIn = ({ text }: { readonly text: string }) => JSON.parse(text).response;

describe("the endpoint of an admission", () => {
  it("answers a review", async () => {
    const answer = await scene().post(review(2));
    assert.equal(answer.status, 200);
    assert.deepEqual(JSON.parse(answer.text), {
      apiVersion: "admission.k8s.io/v1",
      kind: "AdmissionReview",
      response: { uid: "u-1", allowed: true },
    });
  });
  it("keeps our code and text byte for byte", async () => {
    assert.deepEqual(responseIn(await scene().post(review(9))), {
      uid: "u-1",
      allowed: false,
      status: { code: 409, reason: "Conflict", message: "a tail of 9 – “too long”" },
    });
  });
  it("knows a dry run", async () => {
    const answer = await scene().post(review(1, { dryRun: true }));
    assert.deepEqual(responseIn(answer).warnings, ["only asked"]);
  });
  it("refuses what is no review, and says where", async () => {
    const { post, handler } = scene();
    assert.match((await post("{")).text, /is no JSON/);
    const wrong = await post({ ...review(1), apiVersion: "admission.k8s.io/v1beta1" });
    assert.equal(wrong.status, 400);
    assert.match(wrong.text, /apiVersion: /);
    assert.match((await post({ ...review(1), request: { uid: "u" } })).text, /request\.operation: /);
    assert.equal((await post(review(1), "?timout=1s")).status, 400);
    assert.equal((await post(review(1), "", "/other")).status, 404);
    assert.equal((await handler(new Request("http://serve/admit-example-kite"))).status, 405);
    const large = await post(`"${"x".repeat(3 * 1_048_576)}"`);
    assert.equal(large.status, 413);
  });
  it("says in text why it has no answer", async () => {
    const away = new KubeError("unavailable", "The API server is away.", { request: "GET /" });
    const answer = await scene(() => Promise.reject(away)).post(review(1));
    assert.deepEqual(answer, {
      status: 500,
      type: "text/plain; charset=utf-8",
      text: "kite-judge cannot decide: The API server is away.\n",
    });
    const secret = await scene(() => Promise.reject(new Error("a secret"))).post(review(1));
    assert.equal(secret.text, "kite-judge cannot decide: the log of this server says why\n");
  });
  it("answers within the time that the API server waits", async () => {
    const { clock, post } = scene(() => new Promise(() => undefined));
    const answer = post(review(1), "?timeout=2s");
    await clock.advance(1_750);
    assert.match((await answer).text, /did not decide within the 2000 ms/);
  });
});
