import { admission, allow, deny } from "../../shared/function/index.ts";
import { admitCreate, admitUpdate } from "./decide/admit/index.ts";
import { Instance, type ObjectReference, OperatorVersion } from "./kinds/index.ts";

/** The lock of an Instance: it is set in the write that changes the spec, so of two conflicting writes one is told why not (5.2). */
export const instanceAdmission = admission("kudo-instance-admission", Instance, [
  "create",
  "update",
]).function({
  reads: [OperatorVersion],
  // Upstream refuses writes while its manager is down. What is let through by others is caught up with all the same.
  whenDown: "deny",
  admits: (it) => ({ parameters: it.spec.parameters }),
  webhook: {
    configuration: "kudo-manager-instance-admission-webhook-config",
    name: "instance-admission.kudo.dev",
    path: "/admit-kudo-dev-v1beta1-instance",
  },
  observe: async ({ object, old, read }) => {
    const versionOf = async (reference: ObjectReference | undefined) =>
      reference?.name === undefined || reference.name === ""
        ? undefined
        : read.get(OperatorVersion, {
            name: reference.name,
            namespace: reference.namespace || object.metadata.namespace,
          });
    const [version, oldVersion] = await Promise.all([
      versionOf(object.spec?.operatorVersion),
      versionOf(old?.spec?.operatorVersion),
    ]);
    return { version, oldVersion };
  },
  admit: ({ object, old, version, oldVersion }, { uid }) => {
    const answer =
      old === undefined
        ? admitCreate(object, version, uid("plan"))
        : admitUpdate(old, object, version, oldVersion, uid("plan"));
    if (!answer.allow) return deny(answer.message, answer.code);
    const { planExecution, parameters, finalizer } = answer.change ?? {};
    return allow({
      ...(planExecution !== undefined && { engine: { planExecution } }),
      ...(parameters !== undefined && { entries: { parameters } }),
      ...(finalizer !== undefined && { finalizers: [finalizer] }),
    });
  },
});
