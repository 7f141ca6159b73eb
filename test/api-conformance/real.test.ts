import { after, before, describe } from "node:test";
import {
  type ControlPlane,
  skipWithoutControlPlane,
  startControlPlane,
} from "../../infra/testing/control-plane.ts";
import { conformance } from "./suite.ts";
import { Api } from "./target.ts";

describe("the real API server", { skip: skipWithoutControlPlane() }, () => {
  let plane: ControlPlane;
  let api: Api;
  before(async () => {
    plane = await startControlPlane();
    api = new Api(plane);
  });
  after(async () => {
    api?.close();
    await plane?.stop();
  });
  conformance(() => api);
});
