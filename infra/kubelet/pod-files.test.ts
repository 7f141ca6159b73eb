import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { FILES, PodFilesError, played } from "./pod-files.ts";

const pod = (files: string) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", annotations: { [FILES]: files } },
});
const cat = (files: string, file = "/tmp/key") => played(pod(files), "waiter", ["cat", file]);

describe("the files of a simulated Pod", () => {
  it("are what the annotation says", () => {
    assert.equal(cat('{"/tmp/key": "content"}').stdout.toString(), "content");
    assert.equal(cat('{"/tmp/key": 3}').stdout.length, 3);
    assert.equal(cat('{"/tmp/key": null}').exitCode, 1);
    assert.equal(cat("{}").exitCode, 1);
  });

  it.each([
    "{",
    "[]",
    "7",
    '{"/tmp/key": -1}',
    '{"/tmp/key": 1e300}',
    '{"/tmp/key": 0.5}',
    '{"/tmp/key": {}}',
  ])("are refused, with the annotation's name, where they are %s", (files) =>
    assert.throws(
      () => cat(files),
      (error) => error instanceof PodFilesError && error.message.includes(FILES),
    ),
  );
});
