import { interleavings } from "../../../infra/testing/system/index.ts";
import { moduleProof, proof, runtimeProof } from "./proof.ts";

interleavings(proof);
interleavings(runtimeProof);
interleavings(moduleProof);
