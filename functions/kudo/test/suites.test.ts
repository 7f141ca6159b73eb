import { conformance, scenariosOn } from "../../../infra/testing/system/index.ts";
import { admissions } from "./admission.ts";
import { objectsOfUpstream } from "./conformance.ts";
import { proof, proofAsked } from "./proof.ts";

scenariosOn("local", proof);
scenariosOn("local", proofAsked);
conformance("local", objectsOfUpstream);
admissions("local");
