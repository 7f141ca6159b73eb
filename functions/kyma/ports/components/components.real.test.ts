import { describe } from "vitest";
import { skipWithoutRegistries, startRegistry } from "../../../../infra/testing/registries.ts";
import { configuredComponents } from "./adapters/index.ts";
import { artifactsSuite } from "./test-artifacts.ts";
import { publishedIn, publishTo } from "./test-registry.ts";
import { type ComponentsUnderTest, componentsSuite } from "./test-suite.ts";

describe.skipIf(skipWithoutRegistries())("a real registry", () => {
  const start = async (): Promise<ComponentsUnderTest> => {
    const server = await startRegistry("distribution");
    const repository = `${server.host}/acme/mods`;
    return {
      host: server.host,
      components: configuredComponents({ folder: "", oci: { repository } }),
      put: (component) => publishTo(repository, component),
      publish: (place, published) => publishedIn(repository, place, published),
      stop: () => server.stop(),
    };
  };
  componentsSuite("distribution", start);
  artifactsSuite("distribution", start, { isStrict: true });
});
