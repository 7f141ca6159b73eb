import { admissionPath } from "../../function/admission-declaration.ts";
import type { ConfiguredAdmission } from "../configuration.ts";
import { type AdmissionEndpointParts, admissionEndpoint, TIMEOUT } from "./admission-endpoint.ts";
import type { FetchHandler } from "./answer.ts";
import { serving, type Taken } from "./serving.ts";
import { Unproven } from "./unproven.ts";

export interface AdmissionIngressParts extends AdmissionEndpointParts {
  readonly admissions: readonly ConfiguredAdmission[];
  /** Bytes at most of all reviews together. Default: 16 MiB. */
  readonly maximumUnproven?: number | undefined;
}

/** The questions of the API server, as one handler: each admission at its path. It never rejects. */
export function admissionIngress({
  admissions,
  maximumUnproven,
  ...parts
}: AdmissionIngressParts): FetchHandler {
  const unproven = new Unproven(maximumUnproven);
  const paths = new Map(
    admissions.map((one): [string, Taken] => [
      admissionPath(one.admission),
      { methods: { POST: admissionEndpoint(one, { ...parts, unproven }) }, query: [TIMEOUT] },
    ]),
  );
  return serving((path) => paths.get(path), parts.log);
}
