import * as z from "zod";

/** A secret in Secrets Manager, or a parameter of Systems Manager, by its ARN. */
export const SECRET_ARN = /^arn:[a-z-]+:(secretsmanager|ssm):([a-z0-9-]+):\d*:(secret:|parameter\/)\S+$/;

/** The settings that reach a cluster from AWS without a kubeconfig: its address, and a token that does not last. */
export const awsClusterOptions = z
  .object({
    server: z
      .url({ protocol: /^https$/ })
      .describe("The API server's address, as `aws eks describe-cluster` calls it `endpoint`."),
    certificateAuthority: z
      .string()
      .min(1)
      .describe(
        "What signs the API server's certificate: PEM, or the base64 of it, as `certificateAuthority.data` is.",
      ),
    eksCluster: z
      .string()
      .min(1)
      .optional()
      .describe("The cluster's name in EKS: the function's own IAM role is then who asks."),
    tokenArn: z
      .string()
      .regex(SECRET_ARN, "give the ARN of a Secrets Manager secret or of a Systems Manager parameter")
      .optional()
      .describe("Where a service account's token lies: the ARN of a secret, or of a parameter."),
    region: z.string().min(1).optional().describe("The cluster's region. Default: the function's own."),
  })
  .refine(({ eksCluster, tokenArn }) => (eksCluster === undefined) !== (tokenArn === undefined), {
    error: "give either eksCluster or tokenArn",
  });
export type AwsClusterOptions = z.output<typeof awsClusterOptions>;
