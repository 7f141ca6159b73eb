import { afterAll, beforeAll } from "vitest";
import { faces } from "../../infra/local/faces/index.ts";
import { type LocalApi, startLocalApi } from "../../infra/local/index.ts";
import { conformance } from "./suite.ts";
import { Api } from "./target.ts";

let server: LocalApi;
let api: Api;
beforeAll(async () => {
  server = await startLocalApi({ faces });
  api = new Api({ url: server.url, token: server.clientOptions.token, ca: server.clientOptions.ca });
});
afterAll(async () => {
  api.close();
  await server.close();
});
conformance(() => api);
