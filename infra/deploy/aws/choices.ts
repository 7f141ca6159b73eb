import { ref, sub, variable } from "./template.ts";

/** The parameters of serverless.yml that may be left empty, and the condition that each makes. */
const CHOICES = {
  vpcSubnets: "InVpc",
  permissionsBoundary: "HasPermissionsBoundary",
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

/** A property that is there only where the parameter is not empty. */
export const whereGiven = (parameter: Choice, value: unknown): object => ({
  "Fn::If": [CHOICES[parameter], value, ref("AWS::NoValue")],
});

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
