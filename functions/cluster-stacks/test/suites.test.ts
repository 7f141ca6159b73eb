import { conformance, scenariosOn } from "../../../infra/testing/system/index.ts";
import { admissions } from "./admission.ts";
import { objectsOfUpstream } from "./conformance.ts";
import { hooks } from "./hooks.ts";
import { quickProof } from "./proof.ts";

scenariosOn("local", quickProof);
conformance("local", objectsOfUpstream);
admissions("local");
hooks("local");
