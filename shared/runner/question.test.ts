import assert from "node:assert/strict";
import { describe, it } from "vitest";
import * as z from "zod";
import { admission, allow, defineKind, defineSystem, deny } from "../function/index.ts";
import { AdmissionReview, answeredReview } from "../kube/admission-review.ts";
import type { KubeClient } from "../kube/client.ts";
import { ConfigMap } from "../kube/kinds/index.ts";
import { admissionPatch } from "./admission-patch.ts";
import { answerQuestion } from "./question.ts";
import { questionRules } from "./rights.ts";

class Kite extends defineKind({
  group: "questions.example.org",
  version: "v1",
  kind: "Kite",
  scope: "Namespaced",
  fields: {
    spec: z.object({
      tail: z.number(),
      colour: z.string().optional(),
      string: z.object({ length: z.number().optional(), strong: z.boolean().optional() }).optional(),
      ribbons: z.record(z.string(), z.string()).optional(),
      wind: z.object({ uid: z.string() }).optional(),
    }),
  },
  status: z.object({ flies: z.boolean() }),
  engineOwned: (it) => ({ wind: it.spec.wind }),
}) {}

const judged = admission("kite-judge", Kite, ["create", "update", "delete"]).function({
  reads: [ConfigMap],
  admits: (it) => ({ ribbons: it.spec.ribbons }),
  config: z.object({ longest: z.number() }),
  observe: async ({ read, object, old }) => ({
    rules: await read.get(ConfigMap, {
      name: "rules",
      namespace: (object ?? old).metadata.namespace,
    }),
  }),
  admit: ({ operation, object, old, rules }, { config, uid }) => {
    if (operation === "delete")
      return old.spec.colour === "red" ? deny("red kites stay", 409) : allow(undefined, ["it is gone"]);
    if (object.spec.tail > config.longest)
      return deny(`a tail of ${object.spec.tail} is longer than ${config.longest}`, 422);
    if (rules?.data?.frozen === "yes") return deny("nothing may be written now");
    return allow({
      engine: { wind: { uid: uid("wind") } },
      defaults: { spec: { colour: "white", string: { length: 5 } } },
      finalizers: ["example.org/kite"],
      labels: { "example.org/long": object.spec.tail > 3 ? "yes" : null },
      entries: { ribbons: { old: null, new: "green" } },
    });
  },
});

const request = (over: object = {}) =>
  AdmissionReview.parse({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: "r-1",
      kind: { group: "questions.example.org", version: "v1", kind: "Kite" },
      resource: { group: "questions.example.org", version: "v1", resource: "kites" },
      name: "k",
      namespace: "n",
      operation: "CREATE",
      userInfo: { username: "ann", groups: ["makers"] },
      object: kite({ tail: 4 }),
      oldObject: null,
      ...over,
    },
  }).request;
const kite = (spec: object, metadata: object = {}) => ({
  apiVersion: "questions.example.org/v1",
  kind: "Kite",
  metadata: { name: "k", namespace: "n", ...metadata },
  spec,
});
const clientWith = (data: Record<string, string> | undefined, asked: string[] = []): KubeClient =>
  ({
    get: async ({ kind }: { kind: string }, { name }: { name: string }) => {
      asked.push(`${kind} ${name}`);
      return data && { apiVersion: "v1", kind, metadata: { name, namespace: "n" }, data };
    },
  }) as never;
const ask = (over: object = {}, data?: Record<string, string>, asked?: string[]) =>
  answerQuestion(judged, request(over), {
    client: clientWith(data, asked),
    configuration: { longest: 10 },
    signal: new AbortController().signal,
  });

describe("a question of the API server", () => {
  it("is answered with the change that the engine spells", async () => {
    const asked: string[] = [];
    const { patch, ...answer } = await ask({}, undefined, asked);
    assert.deepEqual(answer, { uid: "r-1", allowed: true });
    assert.deepEqual(asked, ["ConfigMap rules"]);
    const wind = patch?.find(({ path }) => path === "/spec/wind")?.value as { uid: string };
    assert.match(wind.uid, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual(patch, [
      { op: "add", path: "/spec/wind", value: wind },
      { op: "add", path: "/spec/ribbons", value: {} },
      { op: "add", path: "/spec/ribbons/new", value: "green" },
      { op: "add", path: "/metadata/labels", value: {} },
      { op: "add", path: "/metadata/labels/example.org~1long", value: "yes" },
      { op: "add", path: "/spec/colour", value: "white" },
      { op: "add", path: "/spec/string", value: { length: 5 } },
      { op: "add", path: "/metadata/finalizers", value: ["example.org/kite"] },
    ]);
  });
  it("has ids that follow from the request", async () => {
    const windOf = async (uid: string): Promise<unknown> =>
      (await ask({ uid })).patch?.find(({ path }) => path === "/spec/wind")?.value;
    assert.deepEqual(await windOf("r-1"), await windOf("r-1"));
    assert.notDeepEqual(await windOf("r-1"), await windOf("r-2"));
  });
  it("leaves alone what is already so, and what the user said", async () => {
    const { patch } = await ask({
      operation: "UPDATE",
      oldObject: kite({ tail: 1 }),
      object: kite(
        {
          tail: 1,
          colour: "red",
          string: { strong: true },
          ribbons: { old: "x", new: "green", mine: "blue" },
        },
        { finalizers: ["example.org/kite", "others/one"], labels: { "example.org/long": "yes", mine: "1" } },
      ),
    });
    assert.deepEqual(
      patch?.filter(({ path }) => path !== "/spec/wind"),
      [
        { op: "remove", path: "/spec/ribbons/old" },
        { op: "remove", path: "/metadata/labels/example.org~1long" },
        { op: "add", path: "/spec/string/length", value: 5 },
      ],
    );
  });
  it("is denied with our code and text", async () => {
    assert.deepEqual(await ask({ object: kite({ tail: 11 }) }), {
      uid: "r-1",
      allowed: false,
      status: { code: 422, reason: "Invalid", message: "a tail of 11 is longer than 10" },
    });
    assert.deepEqual((await ask({}, { frozen: "yes" })).status, {
      code: 403,
      reason: "Forbidden",
      message: "nothing may be written now",
    });
  });
  it("about a deletion knows what is deleted, and changes nothing", async () => {
    const deletion = (colour: string) =>
      ask({ operation: "DELETE", object: null, oldObject: kite({ tail: 1, colour }) });
    assert.deepEqual((await deletion("red")).status?.code, 409);
    assert.deepEqual(await deletion("blue"), { uid: "r-1", allowed: true, warnings: ["it is gone"] });
  });
  it("adds no finalizer to what is being deleted", async () => {
    const { patch } = await ask({
      operation: "UPDATE",
      oldObject: kite({ tail: 1 }),
      object: kite({ tail: 1 }, { deletionTimestamp: "2026-01-01T00:00:00Z" }),
    });
    assert.ok(patch?.every(({ path }) => path !== "/metadata/finalizers"));
  });
  it("about an object that cannot be read is denied with its path, unless the object ends or is being mended", async () => {
    const broken = kite({ tail: "long" });
    const { status } = await ask({ object: broken });
    assert.equal(status?.code, 422);
    assert.match(status?.message ?? "", /Kite n\/k cannot be read: spec\.tail: /);
    const mended = await ask({ operation: "UPDATE", oldObject: broken, object: kite({ tail: 1 }) });
    assert.equal(mended.allowed, true);
    assert.match(mended.warnings?.[0] ?? "", /was not judged/);
    const dying = kite({ tail: 1 }, { deletionTimestamp: "2026-01-01T00:00:00Z" });
    assert.deepEqual(await ask({ operation: "UPDATE", oldObject: dying, object: broken }), {
      uid: "r-1",
      allowed: true,
    });
  });
  it("that is somebody else's is refused", async () => {
    const other = await ask({ kind: { group: "", version: "v1", kind: "Pod" } });
    assert.equal(other.status?.code, 400);
    assert.equal((await ask({ subResource: "status" })).allowed, false);
  });
  it("has no answer where something cannot be read", async () => {
    const client = { get: () => Promise.reject(new Error("away")) } as never;
    await assert.rejects(
      answerQuestion(judged, request(), {
        client,
        configuration: { longest: 10 },
        signal: new AbortController().signal,
      }),
      /away/,
    );
  });
  it("is spelled as the API server reads it", () => {
    const patch = [{ op: "add", path: "/a", value: 1 }] as const;
    assert.deepEqual(answeredReview({ uid: "u", allowed: true, patch }), {
      apiVersion: "admission.k8s.io/v1",
      kind: "AdmissionReview",
      response: {
        uid: "u",
        allowed: true,
        patchType: "JSONPatch",
        patch: Buffer.from('[{"op":"add","path":"/a","value":1}]').toString("base64"),
      },
    });
  });
  it("asks for the rights that its reads need, and no others", () => {
    assert.deepEqual(questionRules(judged), [
      { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list"] },
    ]);
  });
});

describe("a change that an admission asks for", () => {
  const patch = (change: object) => admissionPatch(judged, kite({ tail: 1 }), change);
  it("is refused beyond what is declared", () => {
    for (const [change, why] of [
      [{ engine: { tail: 2 } }, /engine-owned path tail/],
      [{ entries: { spec: { tail: 2 } } }, /does not declare the map spec/],
      [{ defaults: { status: { flies: true } } }, /status is none/],
      [{ spec: { tail: 2 } }, /has no spec/],
    ] as const)
      assert.throws(() => patch(change), { code: "ADMISSION_CHANGE", message: why });
  });
  it("never writes into what is no map", () => {
    const broken = kite({ tail: 1, ribbons: "none" });
    assert.deepEqual(
      admissionPatch(judged, broken, { entries: { ribbons: { new: "green" } } } as object),
      [],
    );
  });
  it("never reaches a prototype", () => {
    const operations = patch({ labels: { constructor: "x" }, entries: { ribbons: { toString: null } } });
    assert.deepEqual(operations, [
      { op: "add", path: "/metadata/labels", value: {} },
      { op: "add", path: "/metadata/labels/constructor", value: "x" },
    ]);
  });
});

describe("the admissions of a system", () => {
  const of = (name: string, webhook: object = {}) =>
    admission(name, Kite, ["create"]).function({ webhook, admit: () => allow() });
  const refused = (why: RegExp, ...admissions: ReturnType<typeof of>[]) =>
    assert.throws(() => defineSystem({ name: "kites", functions: [], admissions }), {
      code: "DECLARATION_ADMISSION",
      message: why,
    });
  it("have names and paths of their own", () => {
    refused(/has its name/, of("one"), of("one"));
    refused(/three parts/, of("one", { name: "short" }));
    refused(/path/, of("one", { path: "/events" }));
    refused(/path/, of("one", { path: "no" }));
    refused(/called at/, of("one", { path: "/same" }), of("two", { path: "/same" }));
    const system = defineSystem({ name: "kites", functions: [], admissions: [of("one"), of("two")] });
    assert.deepEqual(
      system.admissions.map(({ name }) => name),
      ["one", "two"],
    );
  });
  it("ask about something", () => {
    const nothing = admission("one", Kite, []).function({ admit: () => allow() });
    assert.throws(() => defineSystem({ name: "kites", functions: [], admissions: [nothing] }), /nothing/);
  });
});
