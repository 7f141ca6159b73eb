import {
  deathsAfterWrites,
  interleavings,
  SHARES,
  scenariosOn,
} from "../../../infra/testing/system/index.ts";
import { addonProof, deathsInStages, proof } from "./proof.ts";

scenariosOn("local", addonProof, SHARES.longScenarios);
interleavings(proof);
deathsAfterWrites(proof);
deathsAfterWrites(deathsInStages);
