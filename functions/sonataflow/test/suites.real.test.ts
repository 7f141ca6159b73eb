import { dryRuns } from "../../../infra/testing/system/dry-run.ts";
import { scenariosOn } from "../../../infra/testing/system/on-stack.ts";
import { proof } from "./proof.ts";

scenariosOn("real", proof);
dryRuns("real", proof, (number) => [3, 7, 24, 36].includes(number));
