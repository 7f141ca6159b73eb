import { DEPLOY, quoted } from "../../definition/index.ts";
import { pipeKeys, pipeKeysFault } from "../../pipes/index.ts";
import type { PackageFiles } from "../files.ts";
import type { Findings } from "./result.ts";

const isStrategy = (text: string | undefined): boolean =>
  text === undefined || text === "" || text === "serial" || text === "parallel";

/** The plans that parameters name are there, and deploy is; their order is one that there is. */
export const planFindings = ({ operator, params }: PackageFiles): Findings => ({
  errors: [
    ...params.parameters.flatMap(({ name, trigger = "" }) =>
      trigger === "" || Object.hasOwn(operator.plans, trigger)
        ? []
        : [`plan ${quoted(trigger)} used in parameter ${quoted(name)} is not defined`],
    ),
    ...(Object.hasOwn(operator.plans, DEPLOY) ? [] : [`an operator is required to have '${DEPLOY}' plan`]),
    ...Object.entries(operator.plans).flatMap(([plan, { strategy, phases }]) => [
      ...(isStrategy(strategy) ? [] : [strategyFault(`plan ${quoted(plan)}`, strategy)]),
      ...(phases ?? [])
        .filter((phase) => !isStrategy(phase.strategy))
        .map((phase) =>
          strategyFault(`phase ${quoted(phase.name ?? "")} in plan ${quoted(plan)}`, phase.strategy),
        ),
    ]),
    ...Object.entries(operator.plans).flatMap(
      ([name, plan]) =>
        pipeKeysFault(pipeKeys(operator.tasks, plan, { instance: operator.name, plan: name })) ?? [],
    ),
  ],
});

const strategyFault = (what: string, strategy: string | undefined): string =>
  `${what} has an unknown strategy ${quoted(strategy ?? "")}: choose serial or parallel`;
