import { deathsAfterWrites, interleavings, scenariosOn } from "../../../infra/testing/system/index.ts";
import { addonProof, deathsInStages, proof } from "./proof.ts";

scenariosOn("local", addonProof);
interleavings(proof);
deathsAfterWrites(proof);
deathsAfterWrites(deathsInStages);
