import { interleavings } from "../../../infra/testing/system/interleaved.ts";
import { scenariosOn } from "../../../infra/testing/system/on-stack.ts";
import { choice, sync } from "./proofs.ts";

for (const proof of [sync, choice]) {
  scenariosOn("local", proof);
  interleavings(proof);
}
