import { conformance, scenariosOn } from "../../../infra/testing/system/index.ts";
import { admissions } from "./admission.ts";
import { objectsOfUpstream } from "./conformance.ts";
import { hooks } from "./hooks.ts";
import { proof } from "./proof.ts";
import { publishedAddons } from "./published.ts";
import { takeOver } from "./take-over.ts";

scenariosOn("real", proof);
conformance("real", objectsOfUpstream);
admissions("real");
hooks("real");
publishedAddons("real");
takeOver("real");
