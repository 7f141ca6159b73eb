// Apart from the other suites, so that they run beside each other: these mostly wait for runtimes.
import { scenariosOn } from "../../../infra/testing/system/index.ts";
import { quickModuleProof } from "./proof.ts";

scenariosOn("local", quickModuleProof);
