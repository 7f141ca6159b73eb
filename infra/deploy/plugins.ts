import { pathToFileURL } from "node:url";
import { partFile, systemsWith } from "../systems/parts.ts";

/** The systems whose commands are a plugin of kubectl too: their `commands.ts` exports `kubectl`. */
async function pluginSystems(): Promise<readonly string[]> {
  const all = await Promise.all(
    systemsWith("commands").map(async (system) => {
      const module = (await import(pathToFileURL(partFile(system, "commands")).href)) as {
        readonly kubectl?: boolean;
      };
      return module.kubectl === true ? [system] : [];
    }),
  );
  return all.flat();
}

/** The program of the package, seen from a plugin's. */
const PROGRAM = "./reveille.js";

/** The program that kubectl finds as `kubectl SYSTEM`. */
const programOf = (system: string): string => `#!/usr/bin/env node
// Made by \`npm run generate\`: \`kubectl ${system} …\` is \`reveille ${system} …\`, on the cluster that kubectl asks.
process.env.REVEILLE_KUBECTL = "true";
process.argv.splice(2, 0, "${system}");
await import(${JSON.stringify(PROGRAM)});
`;

/** The programs of kubectl's plugins by path, and package.json with a line for each. */
export async function pluginsOf(manifest: string): Promise<ReadonlyMap<string, string>> {
  const systems = await pluginSystems();
  // kubectl takes a dash for the space between two words, and an underscore for a dash.
  const named = systems.map((system) => [`kubectl-${system.replaceAll("-", "_")}`, system] as const);
  const parsed = JSON.parse(manifest) as { readonly bin: Readonly<Record<string, string>> };
  const kept = Object.entries(parsed.bin).filter(([name]) => !name.startsWith("kubectl-"));
  const bin = Object.fromEntries([...kept, ...named.map(([name]) => [name, `bin/${name}.js`])]);
  return new Map([
    ...named.map(([name, system]) => [`bin/${name}.js`, programOf(system)] as const),
    ["package.json", `${JSON.stringify({ ...parsed, bin }, null, 2)}\n`] as const,
  ]);
}
