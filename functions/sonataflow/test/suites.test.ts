import { decisions } from "../../../infra/testing/system/decisions.ts";
import { dryRuns } from "../../../infra/testing/system/dry-run.ts";
import { interleavings } from "../../../infra/testing/system/interleaved.ts";
import { scenariosOn } from "../../../infra/testing/system/on-stack.ts";
import { proof } from "./proof.ts";

decisions(proof);
scenariosOn("local", proof);
interleavings(proof);
dryRuns("local", proof, (number) => number % 5 === 1);
