import { test } from "vitest";
import { skipWithoutControlPlane } from "../../../infra/testing/control-plane.ts";
import { coordinationSuite } from "./coordination-suite.ts";

const skip = skipWithoutControlPlane();
if (skip === false) coordinationSuite("real");
else test.skip("coordination of operators on the real API");
