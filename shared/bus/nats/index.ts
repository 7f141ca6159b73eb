export { type NatsBus, openNatsBus } from "./bus.ts";
export { type NatsBusOptions, type NatsOptions, natsOptions } from "./options.ts";
export {
  type DeclaredFunction,
  type NatsPermissions,
  natsPermissions,
  natsUsers,
  type UserPermissions,
  variableOf,
} from "./permissions.ts";
