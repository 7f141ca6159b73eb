import { fieldOf, isRecord, listOf } from "../../../../shared/json/fields.ts";
import type { ApplicableObject } from "../../../../shared/manifests/objects.ts";
import { isWorkload, withPodSpec } from "./workloads.ts";

/** The variable by which a module's operator learns of the Secret. */
export const PULL_SECRET_VARIABLE = "SKR_IMG_PULL_SECRET";

/**
 * Has the pods of a workload pull their images with a Secret. A module's operator is told its name. In words where that variable is
 * taken.
 */
export function withPullSecret(
  object: ApplicableObject,
  secret: string | undefined,
  isManager: boolean,
): ApplicableObject | string {
  if (secret === undefined || !isWorkload(object)) return object;
  let taken: string | undefined;
  const told = (container: unknown): unknown => {
    if (!isManager || !isRecord(container)) return container;
    const env = listOf(container.env);
    if (env.some((variable) => fieldOf(variable, "name") === PULL_SECRET_VARIABLE))
      taken = `${object.kind} ${object.metadata.name} sets ${PULL_SECRET_VARIABLE} itself: leave it out of the artifact`;
    return { ...container, env: [...env, { name: PULL_SECRET_VARIABLE, value: secret }] };
  };
  const changed = withPodSpec(object, (spec) => {
    const secrets = listOf(spec.imagePullSecrets);
    const isThere = secrets.some((one) => fieldOf(one, "name") === secret);
    return {
      ...spec,
      imagePullSecrets: isThere ? secrets : [...secrets, { name: secret }],
      containers: listOf(spec.containers).map(told),
    };
  });
  return taken ?? changed;
}
