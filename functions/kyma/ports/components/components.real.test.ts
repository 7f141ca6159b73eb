import { describe } from "vitest";
import { skipWithoutRegistries, startRegistry } from "../../../../infra/testing/registries.ts";
import { configuredComponents } from "./adapters/index.ts";
import { publishTo } from "./test-registry.ts";
import { componentsSuite } from "./test-suite.ts";

describe.skipIf(skipWithoutRegistries())("a real registry", () => {
  componentsSuite("distribution", async () => {
    const server = await startRegistry("distribution");
    const repository = `${server.host}/acme/mods`;
    return {
      components: configuredComponents({ folder: "", oci: { repository } }),
      put: (component) => publishTo(repository, component),
      stop: () => server.stop(),
    };
  });
});
