import assert from "node:assert/strict";
import { it } from "vitest";
import { createAuthority } from "../../../../shared/tls/index.ts";
import { isFor } from "./read.ts";

const authority = createAuthority();
const isForItsOwn = (name: string, other = name): boolean =>
  isFor(authority.issue({ commonName: "rt-1", serverNames: [name] }).certificate, {
    commonName: "rt-1",
    dnsNames: [other],
  });

for (const name of [
  ...["a.example.org", "*.example.org", "A.Example.org", "a_b.example.org", "localhost"],
  ...["10.0.0.1", "::1", "2001:db8::1", "::ffff:1.2.3.4", "64:ff9b::192.0.2.33"],
])
  it(`a certificate for ${name} is for ${name}, so that it is not issued again`, () => {
    assert.ok(isForItsOwn(name));
    assert.ok(!isForItsOwn(name, name.includes(":") ? "2001:db8::2" : "10.0.0.2"));
  });
