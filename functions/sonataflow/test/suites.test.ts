import {
  conformance,
  decisions,
  dryRuns,
  interleavings,
  scenariosOn,
} from "../../../infra/testing/system/index.ts";
import { objectsOfUpstream } from "./conformance.ts";
import { handoverSuite } from "./handover.ts";
import { proof } from "./proof.ts";

decisions(proof);
scenariosOn("local", proof);
interleavings(proof);
dryRuns("local", proof, (number) => number % 5 === 1);
handoverSuite("local");
conformance("local", objectsOfUpstream);
