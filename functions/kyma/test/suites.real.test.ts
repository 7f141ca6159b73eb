import { conformance, scenariosOn } from "../../../infra/testing/system/index.ts";
import { objectsOfUpstream } from "./conformance.ts";
import { proof, realModuleProof, realRuntimeProof } from "./proof.ts";

scenariosOn("real", proof);
scenariosOn("real", realModuleProof);
scenariosOn("real", realRuntimeProof);
conformance("real", objectsOfUpstream);
