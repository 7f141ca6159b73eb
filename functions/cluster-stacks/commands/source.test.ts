import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { UsageError } from "../../../shared/function/command-errors.ts";
import { settingsOf } from "./source.ts";

describe("the place of a source", () => {
  it("is a folder, a repository on GitHub, or one of a registry, with the flags that go with it", () => {
    assert.deepEqual(settingsOf("./releases"), { folder: "./releases" });
    assert.deepEqual(
      settingsOf("github:acme/stacks", { api: "https://git.example.org/api/v3", tokenFile: "t" }),
      {
        github: { repository: "acme/stacks", api: "https://git.example.org/api/v3", tokenFile: "t" },
      },
    );
    assert.deepEqual(
      settingsOf("oci://registry.example.org/a/b", { username: "u", passwordFile: "p", plainHttp: true }),
      { oci: { repository: "registry.example.org/a/b", username: "u", passwordFile: "p", plainHttp: true } },
    );
  });

  it("is refused with flags that are another's, with half of a login, and where it is none", () => {
    const refused = (place: string, options: Parameters<typeof settingsOf>[1], says: RegExp): void =>
      assert.throws(
        () => settingsOf(place, options),
        (error) => error instanceof UsageError && says.test(error.message),
      );
    refused("./releases", { tokenFile: "t" }, /^--token-file: a folder takes no such flag\.$/);
    refused("github:a/b", { plainHttp: true, username: "u" }, /^--plain-http, --username: github:a\/b takes/);
    refused("oci://registry.example.org/a", { username: "u" }, /username and passwordFile go together/);
    refused("", {}, /^A source is missing: name a folder/);
    refused("github:a", {}, /write owner\/name/);
    refused("github:a/b", { api: "http://git.example.org" }, /github:a\/b is no source/);
  });
});
