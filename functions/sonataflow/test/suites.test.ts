import { conformance, decisions, scenariosOn } from "../../../infra/testing/system/index.ts";
import { objectsOfUpstream } from "./conformance.ts";
import { handoverSuite } from "./handover.ts";
import { proof } from "./proof.ts";

decisions(proof);
scenariosOn("local", proof);
handoverSuite("local");
conformance("local", objectsOfUpstream);
