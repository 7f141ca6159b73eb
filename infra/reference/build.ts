// Makes the API reference of the package from its exports and their doc comments, in build/reference. Ends non-zero where an export
// has no doc comment, or a link in one leads nowhere. TypeDoc needs an older compiler than ours; both lie apart, as its lock file says.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const pinned = join(import.meta.dirname, "typedoc");
const installed = join(root, "build/typedoc");
const LOCK = "package-lock.json";
/** npm writes this file last, so an installation that was cut short is made anew. */
const MARK = join(installed, "node_modules/.package-lock.json");

const isInstalled =
  existsSync(MARK) &&
  readFileSync(join(installed, LOCK), "utf8") === readFileSync(join(pinned, LOCK), "utf8");
if (!isInstalled) {
  mkdirSync(installed, { recursive: true });
  for (const file of ["package.json", LOCK]) copyFileSync(join(pinned, file), join(installed, file));
  execFileSync("npm", ["ci", "--ignore-scripts"], { cwd: installed, stdio: "inherit" });
}
const typedoc = join(installed, "node_modules/typedoc/bin/typedoc");
/** The package's entry points: `dist/index.d.ts` is compiled from `index.ts`. */
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, { readonly types?: string }>>;
};
const entryPoints = Object.values(exports).flatMap(({ types }) =>
  types === undefined
    ? []
    : ["--entryPoints", join(root, types.replace("dist/", "").replace(".d.ts", ".ts"))],
);
const options = ["--options", join(import.meta.dirname, "typedoc.json"), ...entryPoints];
const { status } = spawnSync(process.execPath, [typedoc, ...options], { cwd: root, stdio: "inherit" });
process.exitCode = status ?? 1;
