import { SHARES, scenariosOn } from "../../../infra/testing/system/index.ts";
import { otherModuleProof } from "./proof.ts";

scenariosOn("local", otherModuleProof, SHARES.longScenarios);
