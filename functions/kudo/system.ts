import { defineSystem } from "../../shared/function/index.ts";
import { instanceAdmission } from "./admission.ts";
import { configuration } from "./configuration.ts";
import { instances } from "./instances.ts";
import { PREDECESSORS } from "./kinds/predecessor.ts";

/** KUDO's operators, their versions, and the Instances that run their plans. */
export const kudo = defineSystem({
  name: "kudo",
  description:
    "Operators as packages: parameters, versions and requests select plans, and Instances run them.",
  config: configuration,
  functions: [instances],
  admissions: [instanceAdmission],
  predecessors: PREDECESSORS,
  admits: (config) => ({ templated: config.kinds }),
});
