#!/usr/bin/env node
// Plain JavaScript that any Node reads: it finds a Node that can run Reveille, and the built or the source form of it.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const NEEDED = 24;
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const built = join(root, "dist", "infra", "cli", "main.js");
const main = existsSync(join(root, "infra", "cli", "main.ts"))
  ? join(root, "infra", "cli", "main.ts")
  : built;

if (Number(process.versions.node.split(".")[0]) >= NEEDED) await import(pathToFileURL(main).href);
else {
  const pinned = pinnedNode();
  if (pinned === undefined) {
    process.stderr.write(
      `Reveille needs Node ${NEEDED} or newer; this is ${process.version}. Install it, or run "npm install node@${NEEDED}" here.\n`,
    );
    process.exit(2);
  }
  const child = spawn(pinned, [main, ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(code ?? (signal === null ? 1 : 130)));
}

function pinnedNode() {
  try {
    const manifest = createRequire(join(root, "package.json")).resolve("node/package.json");
    const program = join(dirname(manifest), "bin", process.platform === "win32" ? "node.exe" : "node");
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}
