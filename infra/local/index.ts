export { type LocalApi, type LocalApiOptions, type LocalKubeconfig, startLocalApi } from "./local-api.ts";
export { type LocalApis, type LocalApisOptions, startLocalApis } from "./local-apis.ts";
export type { TokenUser } from "./server/users.ts";
