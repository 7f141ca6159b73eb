import { conformance, decisions, scenariosOn } from "../../../infra/testing/system/index.ts";
import { objectsOfUpstream } from "./conformance.ts";
import { handoverSuite } from "./handover.ts";
import { proof, quickProof } from "./proof.ts";

decisions(proof);
scenariosOn("local", quickProof);
handoverSuite("local");
conformance("local", objectsOfUpstream);
