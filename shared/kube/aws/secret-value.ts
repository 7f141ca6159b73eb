import { messageOf } from "../../errors.ts";
import { KubeconfigError } from "../kubeconfig/errors.ts";
import type { AwsIdentitySource } from "./identity.ts";
import { SECRET_ARN } from "./options.ts";
import { hostOf, signer } from "./signer.ts";

export interface SecretOptions {
  readonly arn: string;
  readonly identity: AwsIdentitySource;
  /** Instead of the service's own address: an emulator, a private endpoint. */
  readonly endpoint?: string | undefined;
}

const SERVICES = {
  secretsmanager: {
    target: "secretsmanager.GetSecretValue",
    ask: (arn: string): object => ({ SecretId: arn }),
    value: (answer: Answer): string | undefined => answer.SecretString,
  },
  ssm: {
    target: "AmazonSSM.GetParameter",
    ask: (arn: string): object => ({ Name: arn, WithDecryption: true }),
    value: (answer: Answer): string | undefined => answer.Parameter?.Value,
  },
} as const;

interface Answer {
  readonly SecretString?: string;
  readonly Parameter?: { readonly Value?: string };
}

/** For so long AWS may take to answer. */
const TIMEOUT_MILLISECONDS = 5_000;

/** The value of a secret, read now. Throws a `KubeconfigError` that names the ARN and never the value. */
export async function secretValue({ arn, identity, endpoint }: SecretOptions, now: number): Promise<string> {
  const [, service, region = ""] = SECRET_ARN.exec(arn) ?? [];
  if (service !== "secretsmanager" && service !== "ssm")
    throw new KubeconfigError(
      "KUBECONFIG_SECRET_FAILED",
      `${arn} is no ARN of a secret: give that of a Secrets Manager secret or of a Systems Manager parameter`,
    );
  const { target, ask, value } = SERVICES[service];
  const url = new URL(endpoint ?? `https://${hostOf(service, region)}`);
  const body = JSON.stringify(ask(arn));
  const signed = await signer(service, region, identity).sign(
    {
      method: "POST",
      protocol: url.protocol,
      hostname: url.hostname,
      path: "/",
      headers: { host: url.host, "content-type": "application/x-amz-json-1.1", "x-amz-target": target },
      body,
    },
    { signingDate: new Date(now) },
  );
  const { host: _, ...headers } = signed.headers;
  const failed = (why: string, cause?: unknown): KubeconfigError =>
    new KubeconfigError("KUBECONFIG_SECRET_FAILED", `${arn} could not be read: ${why}`, { cause });
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: "POST",
      headers,
      body,
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    });
    text = await response.text();
  } catch (thrown) {
    throw failed(`${url.host} does not answer (${messageOf(thrown)})`, thrown);
  }
  if (!response.ok) throw failed(`${url.host} says ${response.status} ${refusalOf(text)}`);
  let answer: Answer;
  try {
    answer = JSON.parse(text) as Answer;
  } catch (thrown) {
    throw failed(`${url.host} answers with something that is no JSON`, thrown);
  }
  const found = value(answer);
  if (!found) throw failed("it holds no text");
  return found;
}

/** AWS's sentence, cut; a refusal holds no secret. */
const refusalOf = (text: string): string => text.replace(/\s+/g, " ").slice(0, 300);
