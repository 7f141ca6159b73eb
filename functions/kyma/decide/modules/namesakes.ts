import type { Obj } from "../../../../shared/function/index.ts";
import type { Manifest } from "../../kinds/index.ts";
import type { EnabledModule } from "../dependencies/index.ts";
import { moduleOf } from "./world.ts";

/**
 * The modules whose Manifests would have the name of another module's, and a sentence about each. Upstream cuts the names of Manifests,
 * their hash first: those of a Kyma with a long name become alike. Who is installed keeps the name, else who comes first.
 */
export function namesakesAmong(
  enabled: readonly Pick<EnabledModule, "name" | "manifest">[],
  manifests: readonly Obj<typeof Manifest>[],
): ReadonlyMap<string, string> {
  const owners = new Map(manifests.map((manifest) => [manifest.metadata.name, moduleOf(manifest)]));
  const namesakes = new Map<string, string>();
  for (const { name, manifest } of enabled) {
    if (manifest === undefined) continue;
    const owner = owners.get(manifest) ?? name;
    owners.set(manifest, owner);
    if (owner !== name)
      namesakes.set(
        name,
        `Its Manifest would be called ${manifest}, as that of ${owner}: the name of the Kyma leaves no room for both. Disable ${owner}, or give the Kyma a shorter name.`,
      );
  }
  return namesakes;
}
