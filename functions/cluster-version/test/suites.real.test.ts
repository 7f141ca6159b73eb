import { scenariosOn } from "../../../infra/testing/system/on-stack.ts";
import { choice, sync } from "./proofs.ts";

for (const proof of [sync, choice]) scenariosOn("real", proof);
