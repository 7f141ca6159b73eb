import { conformance, scenariosOn } from "../../../infra/testing/system/index.ts";
import { objectsOfUpstream } from "./conformance.ts";
import { proof, runtimeProof } from "./proof.ts";

scenariosOn("local", proof);
scenariosOn("local", runtimeProof);
conformance("local", objectsOfUpstream);
