import { conformance, dryRunsOn, scenariosOn } from "../../../infra/testing/system/index.ts";
import { admissions } from "./admission.ts";
import { objectsOfUpstream } from "./conformance.ts";
import { dry, isQuick, proof, quickAsked } from "./proof.ts";

scenariosOn("local", proof);
scenariosOn("local", quickAsked);
dryRunsOn("local", dry, isQuick);
conformance("local", objectsOfUpstream);
admissions("local");
