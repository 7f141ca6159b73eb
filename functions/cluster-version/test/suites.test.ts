import { localApiServer } from "../../../infra/testing/api-servers.ts";
import { conformance, dryRunsOn, interleavings, scenariosOn } from "../../../infra/testing/system/index.ts";
import { passSuite } from "./apply/pass-suite.ts";
import { applySuite } from "./apply/suite.ts";
import { objectsOfUpstream } from "./conformance-objects.ts";
import { coordinationSuite } from "./coordination-suite.ts";
import { gatedSuite } from "./gated-suite.ts";
import { kindsSuite } from "./kinds-suite.ts";
import { partsSuite } from "./parts-suite.ts";
import { choice, dry, isQuick, sync } from "./proofs.ts";
import { targetSuite } from "./target-suite.ts";

for (const proof of [sync, choice]) {
  scenariosOn("local", proof);
  interleavings(proof);
}
for (const proof of dry) dryRunsOn("local", proof, isQuick);
coordinationSuite("local");
targetSuite("local");
kindsSuite("local");
partsSuite("local");
gatedSuite("local");
applySuite(localApiServer, { without: ["FlowSchema"] });
passSuite("local");
conformance("local", objectsOfUpstream);
