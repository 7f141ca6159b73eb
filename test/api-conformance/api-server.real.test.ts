import { afterAll, beforeAll, describe } from "vitest";
import {
  type ControlPlane,
  skipWithoutControlPlane,
  startControlPlane,
} from "../../infra/testing/control-plane.ts";
import { conformance } from "./suite.ts";
import { Api } from "./target.ts";

describe("the real API server", { skip: skipWithoutControlPlane() !== false }, () => {
  let plane: ControlPlane;
  let api: Api;
  beforeAll(async () => {
    plane = await startControlPlane();
    api = new Api(plane);
  });
  afterAll(async () => {
    api?.close();
    await plane?.stop();
  });
  conformance(() => api);
});
