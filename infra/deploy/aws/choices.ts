import { ref, sub, variable } from "./template.ts";

/** Holds where the queues, the table and the topic are encrypted with a key of one's own. */
export const HAS_KMS_KEY = "HasKmsKey";

/** The parameters of serverless.yml that may be left empty, and the condition that each makes. */
const CHOICES = {
  vpcSubnets: "InVpc",
  permissionsBoundary: "HasPermissionsBoundary",
  kmsKey: HAS_KMS_KEY,
  namespaces: "HasNamespaces",
  configuration: "HasConfiguration",
  runs: "HasRuns",
} as const;
type Choice = keyof typeof CHOICES;

/** The `Conditions` of the template: each holds where its parameter is not empty. */
export const conditions: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(CHOICES).map(([parameter, condition]) => [
    condition,
    { "Fn::Not": [{ "Fn::Equals": [variable(`param:${parameter}`), ""] }] },
  ]),
);

/** A property that is there only where the parameter is not empty, or is something else where it is. */
export const whereGiven = (
  parameter: Choice,
  value: unknown,
  otherwise: unknown = ref("AWS::NoValue"),
): object => ({ "Fn::If": [CHOICES[parameter], value, otherwise] });

export const kmsKey = variable("param:kmsKey");

/** The encryption of a queue: with the key that is given, else with one of SQS. */
export const queueEncryption = {
  KmsMasterKeyId: whereGiven("kmsKey", kmsKey),
  SqsManagedSseEnabled: whereGiven("kmsKey", ref("AWS::NoValue"), true),
};

/** The property of every role that makes it obey the company's boundary. */
export const PermissionsBoundary = whereGiven("permissionsBoundary", variable("param:permissionsBoundary"));

const listed = (parameter: string): object => ({ "Fn::Split": [",", variable(`param:${parameter}`)] });

/** The property of every Lambda that puts it into the VPC. */
export const VpcConfig = whereGiven("vpcSubnets", {
  SubnetIds: listed("vpcSubnets"),
  SecurityGroupIds: listed("vpcSecurityGroups"),
});

/** A Lambda in a VPC makes and removes its own network interfaces: AWS's policy for that, since their names are AWS's. */
export const vpcPolicies = whereGiven("vpcSubnets", [
  sub(`arn:\${AWS::Partition}:iam::aws:policy/service-role/AWSLambdaVPCAccessExecutionRole`),
]);
