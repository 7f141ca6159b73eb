import { deathsAfterWrites } from "../../../infra/testing/system/index.ts";
import { moduleProof, proof, runtimeProof } from "./proof.ts";

deathsAfterWrites(proof);
deathsAfterWrites(runtimeProof);
deathsAfterWrites(moduleProof);
