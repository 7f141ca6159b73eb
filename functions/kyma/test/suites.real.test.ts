import { conformance, scenariosOn } from "../../../infra/testing/system/index.ts";
import { objectsOfUpstream } from "./conformance.ts";
import { proof, realModuleProof } from "./proof.ts";

scenariosOn("real", proof);
scenariosOn("real", realModuleProof);
conformance("real", objectsOfUpstream);
