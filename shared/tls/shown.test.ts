import assert from "node:assert/strict";
import { test } from "vitest";
import { createAuthority } from "./authority.ts";
import { shownFault } from "./shown.ts";

test("a certificate, its key and authorities are used where each file is whole and all belong together", () => {
  const authority = createAuthority();
  const [one, other] = ["a", "b"].map((commonName) => authority.issue({ commonName }));
  const pair = one ?? assert.fail("it is there");
  const half = (text: string): string => text.slice(0, text.length / 2);
  assert.equal(shownFault(pair), undefined);
  assert.equal(shownFault(pair, authority.certificate), undefined);
  for (const certificate of ["", half(pair.certificate), pair.key])
    assert.match(shownFault({ ...pair, certificate }) ?? "", /^the certificate.s file holds no certificate/);
  for (const key of ["", half(pair.key), pair.certificate])
    assert.match(shownFault({ ...pair, key }) ?? "", /no private key/);
  assert.match(shownFault({ ...pair, key: other?.key ?? "" }) ?? "", /of another certificate/);
  for (const authorities of ["", half(authority.certificate), "none"])
    assert.match(shownFault(pair, authorities) ?? "", /authorities' file holds no certificate/);
});
