import { conformance, scenariosOn } from "../../../infra/testing/system/index.ts";
import { admissions } from "./admission.ts";
import { objectsOfUpstream } from "./conformance.ts";
import { proof, proofAsked } from "./proof.ts";

scenariosOn("real", proof);
scenariosOn("real", proofAsked);
conformance("real", objectsOfUpstream);
admissions("real");
