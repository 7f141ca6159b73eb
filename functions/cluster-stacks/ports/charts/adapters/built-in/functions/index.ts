import type { Clock } from "../../../../../../../shared/clock/clock.ts";
import type { Functions } from "../../../../../../../shared/templates/index.ts";
import { paths, sprig } from "../../../../../../../shared/templates/sprig.ts";
import { certificates, type RsaKey } from "./certificates.ts";
import { charts } from "./charts.ts";
import { ciphers } from "./ciphers.ts";
import { dates } from "./dates.ts";
import { random } from "./random.ts";
import { toml } from "./toml.ts";
import { yamlAndJson } from "./yaml.ts";

/** The things outside a chart that its functions ask. */
export interface Surroundings {
  readonly clock: Clock;
  readonly rsaKey: RsaKey;
}

/** All functions that a chart's templates may call beside Go's own: sprig's but for those that read the environment, and helm's. */
export const chartFunctions = ({ clock, rsaKey }: Surroundings): Functions => ({
  ...sprig,
  ...paths,
  ...dates(clock),
  ...random,
  ...ciphers,
  ...certificates(clock, rsaKey),
  ...yamlAndJson(sprig),
  ...toml,
  ...charts,
});
