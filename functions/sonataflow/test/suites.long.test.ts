import {
  deathsAfterWrites,
  dryRuns,
  interleavings,
  scenariosOn,
} from "../../../infra/testing/system/index.ts";
import { longProof, proof } from "./proof.ts";

scenariosOn("local", longProof);
interleavings(proof);
dryRuns("local", proof);
deathsAfterWrites(proof);
