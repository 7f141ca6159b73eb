import { test } from "vitest";
import { skipWithoutControlPlane } from "../../../infra/testing/control-plane.ts";
import { targetSuite } from "./target-suite.ts";

const skip = skipWithoutControlPlane();
if (skip === false) targetSuite("real");
else test.skip("looking for updates on the real API");
