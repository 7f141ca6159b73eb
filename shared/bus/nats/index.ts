export { type NatsBus, openNatsBus } from "./nats-bus.ts";
export { type NatsBusOptions, type NatsOptions, natsOptions } from "./options.ts";
