import { describe } from "vitest";
import { ManualClock } from "../../../../infra/testing/manual-clock.ts";
import { skipWithoutRegistries, startRegistry } from "../../../../infra/testing/registries.ts";
import { RegistryClient, repositoryOf } from "../../../../shared/oci/index.ts";
import { configuredReleases } from "./adapters/configured.ts";
import { publishToRegistry } from "./adapters/index.ts";
import { STANDS } from "./adapters/paced.ts";
import { releasesSuite } from "./test-suite.ts";

for (const which of ["distribution", "crane"] as const)
  describe.skipIf(skipWithoutRegistries())("a real registry", () => {
    releasesSuite(which, async () => {
      const server = await startRegistry(which);
      const repository = `${server.host}/acme/stacks`;
      const client = new RegistryClient(repositoryOf(repository));
      const clock = new ManualClock();
      const put = async (
        tag: string,
        files: Readonly<Record<string, string | Uint8Array>>,
      ): Promise<void> => {
        const contents = Object.entries(files).map(
          ([name, content]) => [name, Buffer.from(content)] as const,
        );
        await publishToRegistry(client, tag, new Map(contents), { tag });
        clock.advance(STANDS);
      };
      await put("first", {});
      await client.remove("first");
      const remove = (tag: string): Promise<void> => client.remove(tag);
      const stop = (): Promise<void> => server.stop();
      return {
        releases: configuredReleases({ default: { oci: { repository } } }, { clock }),
        put,
        remove,
        stop,
      };
    });
  });
