import type { ResourceType } from "../../resource-type.ts";
import type { Admission } from "./admission.ts";
import { nodePortAdmission } from "./node-ports.ts";
import { podAdmission } from "./pods.ts";

const admissions: Readonly<Record<string, Admission>> = { pods: podAdmission, services: nodePortAdmission };

/** The checks against other objects when one of this type is written. */
export const admissionOf = ({ group, plural }: ResourceType): Admission | undefined =>
  group === "" ? admissions[plural] : undefined;
