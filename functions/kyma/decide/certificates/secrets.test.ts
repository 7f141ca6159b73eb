import assert from "node:assert/strict";
import { it } from "vitest";
import { Secret } from "../../../../shared/kube/kinds/index.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { createAuthority } from "../../../../shared/tls/index.ts";
import { dataOf, written } from "./secrets.ts";

it("a certificate is written into the Secret that another program made, whose type cannot be changed", () => {
  const place = { name: "rt-1-webhook-tls", namespace: "kcp-system" };
  const known = parseObject(Secret, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { ...place, uid: "u", resourceVersion: "1" },
    type: "kubernetes.io/tls",
  });
  for (const one of [undefined, known]) {
    const text = JSON.stringify(written(place, one, dataOf(createAuthority())));
    assert.match(text, /"tls\.crt"/);
    assert.doesNotMatch(text, /"type":"(Opaque|kubernetes)/);
  }
});
