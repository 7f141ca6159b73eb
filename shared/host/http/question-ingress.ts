import { admissionPath } from "../../function/admission-declaration.ts";
import { DISCOVERY_PATH } from "../../function/hook-declaration.ts";
import { DeclarationError } from "../../function/system.ts";
import type { ConfiguredAdmission, ConfiguredHook } from "../configuration.ts";
import { admissionEndpoint } from "./admission-endpoint.ts";
import type { FetchHandler } from "./answer.ts";
import { TIMEOUT } from "./deadline.ts";
import { discoveryEndpoint, hookEndpoint } from "./hook-endpoint.ts";
import type { QuestionParts } from "./question-parts.ts";
import { serving, type Taken } from "./serving.ts";
import { Unproven } from "./unproven.ts";

export interface QuestionIngressParts extends QuestionParts {
  readonly admissions?: readonly ConfiguredAdmission[];
  readonly hooks?: readonly ConfiguredHook[];
  /** Bytes at most of all questions together. Default: 16 MiB. */
  readonly maximumUnproven?: number | undefined;
}

/**
 * The questions of the API server and of other controllers, as one handler: each admission and each hook at its path. It never rejects.
 * Throws a `DeclarationError` where two are asked at one path.
 */
export function questionIngress({
  admissions = [],
  hooks = [],
  maximumUnproven,
  ...parts
}: QuestionIngressParts): FetchHandler {
  const unproven = new Unproven(maximumUnproven);
  const paths = new Map<string, Taken>();
  const take = (path: string, name: string, POST: FetchHandler): void => {
    if (paths.has(path))
      throw new DeclarationError(
        "DECLARATION_PATH",
        `${name} is asked at ${path}, and so is one of another system: give it a path of its own, or run the systems apart.`,
      );
    paths.set(path, { methods: { POST }, query: [TIMEOUT] });
  };
  for (const one of admissions)
    take(admissionPath(one.admission), one.admission.name, admissionEndpoint(one, { ...parts, unproven }));
  for (const one of hooks) take(one.hook.path, one.hook.name, hookEndpoint(one, { ...parts, unproven }));
  const found = hooks.map(({ hook }) => hook).filter(({ requestHook }) => requestHook !== undefined);
  if (found.length > 0) take(DISCOVERY_PATH, "discovery", discoveryEndpoint(found));
  return serving((path) => paths.get(path), parts.log);
}
