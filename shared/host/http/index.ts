export { type FetchHandler, HttpError } from "./answer.ts";
export { type KnownCaller, type Peer, type Permission, permissions, rememberPeer } from "./caller.ts";
export {
  type BeatEar,
  certifiedIngress,
  type HeardBeat,
  type Proof,
  provenByConnection,
  provenByGateway,
} from "./certified.ts";
export { type IngressParts, ingress } from "./ingress.ts";
export { nodeListener, nodeServer } from "./node-server.ts";
export { type QuestionIngressParts, questionIngress } from "./question-ingress.ts";
export { type Secret, SecretError, secretFile } from "./secret.ts";
export { eventOf } from "./webhook.ts";
