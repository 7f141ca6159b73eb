// The local API alone: a folder for its objects, and a file for its kubeconfig.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { faces } from "../../local/faces/index.ts";
import { startLocalApi } from "../../local/index.ts";

const [folder = ".", kubeconfig = "kubeconfig"] = process.argv.slice(2);
const api = await startLocalApi({ directory: join(folder, "api"), faces });
writeFileSync(kubeconfig, JSON.stringify(api.kubeconfig), { mode: 0o600 });
process.once("SIGTERM", () => void api.close().then(() => process.exit(0)));
process.stdout.write("ready\n");
