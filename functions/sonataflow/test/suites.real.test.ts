import { conformance, dryRuns, scenariosOn } from "../../../infra/testing/system/index.ts";
import { objectsOfUpstream } from "./conformance.ts";
import { handoverSuite } from "./handover.ts";
import { proof } from "./proof.ts";

scenariosOn("real", proof);
dryRuns("real", proof, (number) => [3, 7, 24, 36].includes(number));
handoverSuite("real");
conformance("real", objectsOfUpstream);
