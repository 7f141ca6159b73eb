import { scenariosOverNats, scenariosOverSqs } from "../../../infra/testing/system/by-fleets.ts";
import { manyWorkers } from "./many-workers.ts";
import { hostsProof, queuesProof } from "./proof.ts";

scenariosOverNats(hostsProof);
scenariosOverSqs(queuesProof);
manyWorkers();
