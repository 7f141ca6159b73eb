import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import {
  bell,
  bodyOf,
  file,
  folder,
  gate,
  keepSecrets,
  post,
  release,
  sample,
  scene,
  signed,
  structured,
} from "../../../infra/testing/ingress-scene.ts";
import { rememberPeer, secretFile } from "./index.ts";

keepSecrets();

describe("a secret that cannot be read", () => {
  it("locks out only whom it would prove", async (t) => {
    const missing = join(folder, "nothing");
    const { handler, log } = scene(t, {
      callers: [
        { name: "aa", token: secretFile(missing) },
        { name: "bb", token: secretFile(file("empty", "\n")) },
        { name: "ci", token: secretFile(file("ci", "ci-token\n")) },
        { name: "robot", certificate: "robot.example.org" },
      ],
      triggers: [
        { trigger: bell, secret: secretFile(missing) },
        { trigger: gate, secret: secretFile(file("gate", "dong")) },
      ],
    });
    const event = sample("release.published");
    assert.equal((await handler(structured(event))).status, 202);
    const robot = structured({ ...event, id: "2" }, {});
    rememberPeer(robot, { certificate: "robot.example.org", verified: true });
    assert.equal((await handler(robot)).status, 202);
    assert.equal((await handler(structured(event, {}))).status, 401, "without a token it is nobody's");
    for (const request of [structured(event, { authorization: "Bearer aa-token" }), signed(release)]) {
      const response = await handler(request);
      const { code, message } = await bodyOf(response);
      assert.deepEqual([response.status, code], [503, "SECRET_UNREADABLE"]);
      assert.match(response.headers.get("retry-after") ?? "", /^\d+$/);
      assert.doesNotMatch(message ?? "", /nothing/, "which file it is stands in the log alone");
    }
    assert.ok(log.some(({ level, message }) => level === "error" && message.includes(missing)));
    assert.equal(
      (await handler(post("/triggers/gate", JSON.stringify(release), { authorization: "Bearer dong" })))
        .status,
      202,
    );
    file("nothing", "aa-token");
    file("empty", "bb-token");
    t.onTestFinished(() => rmSync(missing));
    assert.equal((await handler(structured(event, { authorization: "Bearer aa-token" }))).status, 202);
    assert.equal((await handler(structured(event, { authorization: "Bearer wrong" }))).status, 401);
  });
});
