import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Payloads, Verification, Verifier } from "../../shared/ports/payloads/contract.ts";
import { PayloadsError, type PayloadsErrorCode } from "../../shared/ports/payloads/errors.ts";

/** An adapter as the suite drives it. `put` may be called again for the same image. */
export interface Stage {
  readonly payloads: (options?: { readonly verifier?: Verifier }) => Payloads;
  readonly put: (image: string, files: Readonly<Record<string, string>>) => Promise<void>;
}

export const IMAGE = "reg.example/rel:5.1.9";
const FILES = {
  "manifests/0000_00_a.yaml": "a: {{.ReleaseImage}}\n",
  "release-manifests/release-metadata": "{}",
  "release-manifests/0000_10_ü.yaml": "ü: 1\n",
};

export const failsWith = (code: PayloadsErrorCode) => (error: unknown) => {
  assert(error instanceof PayloadsError, String(error));
  assert.equal(error.code, code, error.message);
  return true;
};

/** What every adapter of the payloads port must do. */
export function payloadsContract(adapter: string, staged: () => Promise<Stage>): void {
  const textsOf = async (payloads: Payloads, image = IMAGE) => {
    const files = await (await payloads.load(image)).files();
    return Object.fromEntries(files.map(({ path, content }) => [path, new TextDecoder().decode(content)]));
  };

  describe(`payloads: ${adapter}`, () => {
    test("gives the files of both folders, and nothing else", async () => {
      const { payloads, put } = await staged();
      await put(IMAGE, {
        ...FILES,
        "usr/bin/operator": "\x7fELF",
        "manifests/deeper/x.yaml": "x",
        "release-metadata": "no",
      });
      assert.deepEqual(await textsOf(payloads()), FILES);
    });

    test("keeps the fingerprint while nothing changes, and changes it with the files", async () => {
      const { payloads, put } = await staged();
      await put(IMAGE, FILES);
      const port = payloads();
      const first = await port.load(IMAGE);
      assert.equal((await port.load(IMAGE)).fingerprint, first.fingerprint);
      await put(IMAGE, { ...FILES, "manifests/0000_00_a.yaml": "a: other\n" });
      const second = await port.load(IMAGE);
      assert.notEqual(second.fingerprint, first.fingerprint);
      assert.equal((await textsOf(port))["manifests/0000_00_a.yaml"], "a: other\n");
    });

    test("says that it does not have an image", async () => {
      const { payloads, put } = await staged();
      await put(IMAGE, FILES);
      await assert.rejects(payloads().load("reg.example/rel:5.2.0"), failsWith("PAYLOAD_NOT_FOUND"));
    });

    test("is unverified unless somebody looks, and passes on what they find", async () => {
      const { payloads, put } = await staged();
      await put(IMAGE, FILES);
      assert.equal((await payloads().load(IMAGE)).verification.verdict, "unverified");
      const asked: string[] = [];
      const bad: Verification = { verdict: "failed", message: "unable to verify sha256:aa" };
      const verifier: Verifier = async (image) => {
        asked.push(image);
        return bad;
      };
      const bundle = await payloads({ verifier }).load(IMAGE);
      assert.deepEqual(bundle.verification, bad);
      assert.deepEqual(asked, [IMAGE]);
      assert.equal((await bundle.files()).length, 3);
    });
  });
}
