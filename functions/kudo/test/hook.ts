import { eventually } from "../../../infra/testing/eventually.ts";
import { ensureNamespace } from "../../../infra/testing/system/index.ts";
import type { KubeClient, Resource } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Instance } from "../index.ts";

/** The state of the webhook of Instances: `refusing` and `letting through` are what its failurePolicy makes of one that is down. */
export type HookState = "up" | "down, refusing" | "down, letting through";

const CONFIGURATION: Resource = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "MutatingWebhookConfiguration",
  plural: "mutatingwebhookconfigurations",
  scope: "Cluster",
};
const NAME = "kudo-manager-instance-admission-webhook-config";
/** Nobody listens there. */
const NOWHERE = "https://127.0.0.1:1/admit-kudo-dev-v1beta1-instance";
const USER = { fieldManager: "user" } as const;

/** Takes the webhook down, and brings it up again. Resolves once the API server does so. */
export function hookOf(client: KubeClient, namespace: string): (state: HookState) => Promise<void> {
  let registered: string | undefined;
  const answers = async (): Promise<HookState> => {
    const metadata = { name: "probe", namespace };
    const probe = { apiVersion: "kudo.dev/v1beta1", kind: "Instance", metadata, spec: {} };
    try {
      await client.create(resourceOf(Instance), probe, { ...USER, dryRun: true });
      return "down, letting through";
    } catch (thrown) {
      if (!(thrown instanceof KubeError)) throw thrown;
      return thrown.sentence.includes("failed calling webhook") ? "down, refusing" : "up";
    }
  };
  return async (state) => {
    await ensureNamespace(client, namespace);
    const url = "/webhooks/0/clientConfig/url";
    const found = await client.get(CONFIGURATION, { name: NAME });
    const webhooks = found?.webhooks as
      | readonly { readonly clientConfig: { readonly url: string } }[]
      | undefined;
    registered ??= webhooks?.[0]?.clientConfig.url;
    await client.patch(
      CONFIGURATION,
      { name: NAME },
      "json",
      [
        { op: "replace", path: url, value: state === "up" ? registered : NOWHERE },
        {
          op: "replace",
          path: "/webhooks/0/failurePolicy",
          value: state === "down, letting through" ? "Ignore" : "Fail",
        },
      ],
      USER,
    );
    await eventually(`the webhook to be ${state}`, async () => (await answers()) === state);
  };
}
