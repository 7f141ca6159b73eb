import { SHARES, scenariosOn } from "../../../infra/testing/system/index.ts";
import { toldProof, userProof } from "./proof.ts";

scenariosOn("local", userProof, SHARES.longScenarios);
scenariosOn("local", toldProof, SHARES.longScenarios);
