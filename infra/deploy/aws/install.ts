// Installs osls as its lock file says, apart from everything that is compiled, checked or published.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const from = join(import.meta.dirname, "osls");
const to = join(import.meta.dirname, "../../../build/osls");
mkdirSync(to, { recursive: true });
for (const file of ["package.json", "package-lock.json"]) copyFileSync(join(from, file), join(to, file));
// None of its packages needs its install script here.
execFileSync("npm", ["ci", "--ignore-scripts"], { cwd: to, stdio: "inherit" });
